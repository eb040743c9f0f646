#include "plimsoll/data/sources/text_lines.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "plimsoll/base/error.h"
#include "plimsoll/data/sources/line_index.h"
#include "tests/support/damage.h"
#include "tests/support/golden.h"
#include "tests/support/messages.h"
#include "tests/support/temporary_folder.h"

namespace plimsoll {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::message_of;
using Unit = TextLinesOptions::Unit;

class TextLines : public ::testing::Test {
 protected:
  std::string write(const std::string& name, const std::string& text) const {
    std::ofstream(folder_.path(name), std::ios::binary) << text;
    return folder_.path(name);
  }

  // The units of every line before the zeros, one after the other.
  static std::vector<double> units_of(const Source& source, std::vector<double>& lengths) {
    std::vector<int32_t> line(static_cast<size_t>(source.fields()[0].shape[0]));
    int32_t length = 0;
    std::byte* const into[] = {reinterpret_cast<std::byte*>(line.data()),
                               reinterpret_cast<std::byte*>(&length)};
    std::vector<double> units;
    for (int64_t record = 0; record < source.size(); ++record) {
      source.read(record, into);
      lengths.push_back(length);
      units.insert(units.end(), line.begin(), line.begin() + length);
      EXPECT_EQ(std::count(line.begin() + length, line.end(), 0), std::ssize(line) - length);
    }
    return units;
  }

  template <class T>
  static std::vector<T> read(const Source& source, int64_t record) {
    std::vector<T> line(static_cast<size_t>(source.fields()[0].shape[0]));
    std::byte* const into[] = {reinterpret_cast<std::byte*>(line.data())};
    source.read(record, into);
    return line;
  }

  TemporaryFolder folder_;
};

TEST_F(TextLines, GivesTheLinesOfTensorFlow) {
  for (const char* name : {"text_unix", "text_windows", "text_long"}) {
    const auto golden = testing::read_golden("record_files", name);
    const std::string path = write("a.txt", golden.bytes("file"));
    TextLinesOptions options{.is_cut = false, .has_length = true};
    std::vector<double> lengths, counts;
    EXPECT_EQ(units_of(*text_lines({path}, options), lengths), golden.values("bytes"));
    EXPECT_EQ(lengths, golden.values("lengths"));
    options.unit = Unit::code_points;
    EXPECT_EQ(units_of(*text_lines({path}, options), counts), golden.values("code_points"));
  }
}

TEST_F(TextLines, CutsOrRefusesLongLines) {
  const std::string path = write("a.txt", "abcd\r\nabcde\nä€\n");
  EXPECT_THAT(read<uint8_t>(*text_lines({path}, {.max_length = 4, .dtype = DType::uint8}), 1),
              ElementsAre('a', 'b', 'c', 'd'));
  const SourcePtr strict = text_lines({path}, {.max_length = 4, .is_cut = false});
  EXPECT_THAT(read<int32_t>(*strict, 0), ElementsAre('a', 'b', 'c', 'd'));
  EXPECT_EQ(message_of([&] { read<int32_t>(*strict, 1); }),
            path + ":2: the line is longer than 4 bytes");
  EXPECT_THAT(read<int32_t>(*text_lines({path}, {.max_length = 1, .unit = Unit::code_points}), 2),
              ElementsAre(0xe4));
}

TEST_F(TextLines, CountsLinesThroughFiles) {
  const std::string a = write("a.txt", "head\none\ntwo"), b = write("b.txt", "head\n\nthree\n");
  const SourcePtr source =
      text_lines({a, b, write("c.txt", "head")}, {.max_length = 3, .skipped_lines = 1});
  ASSERT_EQ(source->size(), 4);
  EXPECT_THAT(read<int32_t>(*source, 1), ElementsAre('t', 'w', 'o'));
  EXPECT_THAT(read<int32_t>(*source, 2), ElementsAre(0, 0, 0));
  EXPECT_THAT(read<int32_t>(*source, 3), ElementsAre('t', 'h', 'r'));
  EXPECT_EQ(source->name(1), a + ":3");
  EXPECT_EQ(source->name(3), b + ":3");
}

TEST_F(TextLines, RefusesWhatIsNotUtf8) {
  // A byte that only continues, one that is cut off, a slash in two bytes, half of a pair.
  for (const char* text : {"a\x80", "a\xe2\x82", "a\xc0\xaf", "a\xed\xa0\x80"}) {
    const SourcePtr source = text_lines({write("a.txt", text)}, {.unit = Unit::code_points});
    EXPECT_THAT(message_of([&] { read<int32_t>(*source, 0); }),
                HasSubstr("a.txt:1: the line is not UTF-8"));
  }
  EXPECT_THAT(message_of([&] { text_lines({write("a.txt", "")}, {.max_length = 0}); }),
              HasSubstr("expected a max_length of 1 or more, found 0"));
}

TEST(LineIndex, TakesLessThanAByteForAShortLine) {
  std::string text;
  for (int i = 0; i < 200'000; ++i) text += std::to_string(i) + "\n";
  const ByteSourcePtr file = memory_source("a.txt", to_bytes(text));
  LineIndex index;
  index.add_file(*file, 0);
  ASSERT_EQ(index.size(), 200'000);
  EXPECT_LT(index.bytes(), 200'000);
  for (const int64_t record : {0, 1, 777, 4096, 99'999, 199'999}) {
    const LineIndex::LinePosition place = index[record];
    EXPECT_EQ(read_line(*file, place.offset, place.passed, 100), std::to_string(record));
  }
}

}  // namespace
}  // namespace plimsoll
