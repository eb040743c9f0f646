#include "plimsoll/data/sources/tar_source.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <fstream>

#include "plimsoll/base/error.h"
#include "plimsoll/data/sources/tar_record.h"
#include "tests/support/golden.h"
#include "tests/support/messages.h"
#include "tests/support/tar_writer.h"
#include "tests/support/temporary_folder.h"

namespace plimsoll {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::message_of;
using ::testing::StartsWith;

class TarSource : public ::testing::Test {
 protected:
  std::string write(const std::string& name, const std::string& bytes) const {
    std::ofstream(folder_.path(name), std::ios::binary) << bytes;
    return folder_.path(name);
  }

  static std::string complaint(const Source& source, int64_t record) {
    std::vector<std::vector<std::byte>> bytes;
    std::vector<std::byte*> into;
    for (const Spec& field : source.fields())
      into.push_back(bytes.emplace_back(static_cast<size_t>(field.bytes())).data());
    return message_of([&] { source.read(record, into); });
  }

  TemporaryFolder folder_;
};

TEST_F(TarSource, ReadsImagesClassesAndArrays) {
  for (const char* name : {"tar_ustar", "tar_gnu", "tar_pax"}) {
    const auto golden = testing::read_golden("record_files", name);
    const std::string path = write("a.tar", golden.bytes("file"));
    const SourcePtr source =
        tar_source({path}, {.fields = {"image", "cls", "left.npy"}, .image_size = {2, 4}});
    ASSERT_EQ(source->size(), 2);
    EXPECT_EQ(source->fields(),
              (Specs{{DType::float32, {2, 4, 3}}, {DType::int32, {}}, {DType::float32, {2, 3}}}));
    EXPECT_EQ(source->name(1), path + "/" + golden.text("folder") + "0001");
    float image[24], array[6];
    int32_t label = 0;
    std::byte* const into[] = {reinterpret_cast<std::byte*>(image),
                               reinterpret_cast<std::byte*>(&label),
                               reinterpret_cast<std::byte*>(array)};
    source->read(1, into);
    EXPECT_EQ(label, golden.values("cls")[1]);
    for (size_t i = 0; i < 24; ++i) EXPECT_NEAR(image[i], golden.values("image")[24 + i], 1e-4);
    for (size_t i = 0; i < 6; ++i)
      EXPECT_FLOAT_EQ(array[i], static_cast<float>(golden.values("npy")[6 + i]));
  }
}

TEST_F(TarSource, CountsRecordsThroughArchives) {
  const std::string a = write("a.tar", testing::tar_of({{"0.cls", "7"}, {"1.cls", " 8\n"}}));
  const std::string b = write("b.tar", testing::tar_of({{"x/2.txt", ""}, {"x/2.cls", "-9"}}));
  const SourcePtr source = tar_source({a, b}, {.fields = {"cls"}});
  ASSERT_EQ(source->size(), 3);
  std::vector<int32_t> labels(3);
  for (size_t i = 0; i < 3; ++i) {
    std::byte* const into[] = {reinterpret_cast<std::byte*>(&labels[i])};
    source->read(static_cast<int64_t>(i), into);
  }
  EXPECT_THAT(labels, ElementsAre(7, 8, -9));
  EXPECT_EQ(source->name(2), b + "/x/2");
}

TEST_F(TarSource, NamesTheFileThatIsBad) {
  const std::string path = write("a.tar", testing::tar_of({{"0.cls", "7"},
                                                           {"0.jpg", "x"},
                                                           {"1.jpg", "\xff\xd8\xff damaged"},
                                                           {"2.cls", "cat"},
                                                           {"3.png", ""},
                                                           {"3.cls", "3"}}));
  const SourcePtr classes = tar_source({path}, {.fields = {"cls"}});
  EXPECT_EQ(complaint(*classes, 0), "no error");
  EXPECT_EQ(complaint(*classes, 1), path + "/1: has no file for 'cls' (it has 1.jpg)");
  EXPECT_EQ(complaint(*classes, 2), path + "/2.cls: expected the number of a class, found 'cat'");
  const SourcePtr images = tar_source({path}, {.fields = {"image"}});
  EXPECT_THAT(complaint(*images, 1), StartsWith(path + "/1.jpg: the JPEG image is damaged"));
  EXPECT_EQ(complaint(*images, 2), path + "/2: has no file for 'image' (it has 2.cls)");
  EXPECT_THAT(complaint(*images, 3), StartsWith(path + "/3.png: expected a"));
}

TEST_F(TarSource, HoldsArraysToTheFirst) {
  const auto golden = [](const char* name) {
    return testing::read_golden("numpy_files", name).bytes("file");
  };
  const std::string path = write(
      "a.tar", testing::tar_of({{"0.npy", golden("npy_f4")}, {"1.npy", golden("npy_vector")}}));
  const SourcePtr source = tar_source({path}, {.fields = {"npy"}});
  EXPECT_EQ(source->fields(), (Specs{{DType::float32, {4, 3}}}));
  EXPECT_EQ(complaint(*source, 1), path +
                                       "/1.npy: expected float32 (4, 3) as in the first record, "
                                       "found float32 (5,)");
}

TEST_F(TarSource, RefusesWhatItCannotRead) {
  const std::string path = write("a.tar", testing::tar_of({{"0.cls", "7"}}));
  EXPECT_THAT(message_of([&] { tar_source({path}, {.fields = {"json"}}); }),
              HasSubstr("nothing reads files that end with '.json'"));
  EXPECT_THAT(message_of([&] {
                tar_source({write("b.tar", testing::tar_of({{"README", ""}}))});
              }),
              HasSubstr("b.tar: has no file with a name like 0001.jpg"));
  EXPECT_THAT(message_of([&] { tar_source({path}, {.fields = {"cls"}, .record_bytes = 1000}); }),
              HasSubstr("a.tar/0: the record has more than 1000 B"));
}

TEST(WebDatasetName, EndsAtTheFirstDotOfTheFile) {
  const auto parts = [](const char* path) {
    const WebDatasetName name = webdataset_name(path);
    return std::pair(name.key, name.extension);
  };
  using Parts = std::pair<std::string, std::string>;
  EXPECT_EQ(parts("0001.jpg"), Parts("0001", "jpg"));
  EXPECT_EQ(parts("a.b/0001.left.PNG"), Parts("a.b/0001", "left.png"));
  EXPECT_EQ(parts("a.b/0001"), Parts("", ""));
  EXPECT_EQ(parts("a/._0001.jpg"), Parts("", ""));
}

}  // namespace
}  // namespace plimsoll
