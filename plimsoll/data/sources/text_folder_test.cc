#include "plimsoll/data/sources/text_folder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "plimsoll/base/error.h"
#include "plimsoll/tensor/text.h"
#include "tests/support/messages.h"
#include "tests/support/temporary_folder.h"

namespace plimsoll {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::message_of;

class TextFolderTest : public ::testing::Test {
 protected:
  void add(const std::string& name, const std::string& text) const {
    const std::filesystem::path path = folder_.path(name);
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path, std::ios::binary) << text;
  }
  std::string path() const { return folder_.path().string(); }
  static std::pair<std::string, int32_t> read(const Source& source, int64_t record) {
    std::vector<std::byte> slot(static_cast<size_t>(source.fields()[0].bytes()));
    int32_t label = -1;
    std::byte* const into[] = {slot.data(), reinterpret_cast<std::byte*>(&label)};
    source.read(record, into);
    return {std::string(text_in(slot.data(), std::ssize(slot))), label};
  }

  TemporaryFolder folder_;
};

TEST_F(TextFolderTest, ReadsTextsAndTheirClasses) {
  add("pos/2.txt", "very good\n");
  add("pos/10.txt", "");
  add("neg/1.txt", "so bad");
  add("neg/notes.md", "no text");
  const SourcePtr source = text_folder(path());
  EXPECT_EQ(source->fields(), (Specs{{DType::string, {3}}, {DType::int32, {}}}));
  EXPECT_THAT(source->class_names(), ElementsAre("neg", "pos"));
  EXPECT_EQ(source->name(0), path() + "/neg/1.txt");
  EXPECT_EQ(read(*source, 0), std::pair(std::string("so bad"), 0));
  EXPECT_EQ(read(*source, 1), std::pair(std::string(), 1));  // 10.txt comes before 2.txt
  EXPECT_EQ(read(*source, 2), std::pair(std::string("very good\n"), 1));
  EXPECT_EQ(text_folder(path(), {.has_axis = true})->fields()[0], (Spec{DType::string, {1, 3}}));
  EXPECT_EQ(text_folder(path(), {.label_mode = LabelMode::none})->fields().size(), 1u);
}

TEST_F(TextFolderTest, ATextThatIsTooLongOrNoTextIsABadRecord) {
  add("a/1.txt", std::string(100, 'x'));
  add("a/2.txt", std::string("x\0y", 3));
  const SourcePtr source = text_folder(path(), {.most_bytes = 50});
  EXPECT_THAT(message_of([&] { read(*source, 0); }),
              HasSubstr("a/1.txt: the text has 100 B, at most 50 B are read"));
  EXPECT_THAT(message_of([&] { read(*source, 1); }),
              HasSubstr("a/2.txt: has a zero byte, so it is not a text file"));
}

TEST_F(TextFolderTest, SaysWhatIsMissing) {
  EXPECT_THAT(message_of([&] { text_folder(path()); }), HasSubstr("expected a folder for each"));
  add("a/1.md", "x");
  EXPECT_THAT(message_of([&] { text_folder(path()); }),
              HasSubstr("expected files that end with .txt, found none"));
}

}  // namespace
}  // namespace plimsoll
