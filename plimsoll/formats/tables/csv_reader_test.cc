#include "plimsoll/formats/tables/csv_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "plimsoll/base/error.h"
#include "plimsoll/formats/tables/csv_value.h"
#include "tests/support/damage.h"
#include "tests/support/messages.h"

namespace plimsoll {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::message_of;
using Record = std::vector<std::string>;

std::vector<Record> parse(const std::string& text, char delimiter = 0,
                          const CsvLimits& limits = {}) {
  CsvReader reader(memory_source("t.csv", to_bytes(text)), delimiter, limits);
  std::vector<Record> records;
  while (reader.next()) {
    records.emplace_back();
    for (int64_t i = 0; i < reader.fields(); ++i) records.back().emplace_back(reader.field(i));
  }
  return records;
}

TEST(CsvReader, ReadsPlainFields) {
  EXPECT_THAT(parse("a,b,c\n1,,3\n"), ElementsAre(Record{"a", "b", "c"}, Record{"1", "", "3"}));
  EXPECT_THAT(parse("a,\n,b"), ElementsAre(Record{"a", ""}, Record{"", "b"}));
}

TEST(CsvReader, ReadsQuotedFields) {
  EXPECT_THAT(parse("\"a,b\",\"say \"\"no\"\"\",\"\"\n"),
              ElementsAre(Record{"a,b", "say \"no\"", ""}));
  EXPECT_THAT(parse("\"two\nlines\",x\n"), ElementsAre(Record{"two\nlines", "x"}));
  EXPECT_THAT(parse("5\" pipe,x\n"), ElementsAre(Record{"5\" pipe", "x"}));
}

TEST(CsvReader, TakesAnyLineEndAndSkipsEmptyLines) {
  for (const char* text : {"a,b\n1,2\n", "a,b\r\n1,2\r\n", "a,b\r1,2", "\n\na,b\n\n\n1,2\n\n"})
    EXPECT_THAT(parse(text), ElementsAre(Record{"a", "b"}, Record{"1", "2"})) << text;
  EXPECT_TRUE(parse("").empty());
  EXPECT_TRUE(parse("\r\n\r\n").empty());
}

TEST(CsvReader, PassesOverAByteOrderMark) {
  EXPECT_THAT(parse("\xef\xbb\xbf"
                    "a,b\n"),
              ElementsAre(Record{"a", "b"}));
  EXPECT_THAT(message_of([] {
                parse(
                    std::string("\xff\xfe"
                                "a\0",
                                4));
              }),
              HasSubstr("UTF-16"));
}

TEST(CsvReader, FindsTheDelimiterInTheFirstLine) {
  EXPECT_THAT(parse("a;b\n1,5;2\n"), ElementsAre(Record{"a", "b"}, Record{"1,5", "2"}));
  EXPECT_THAT(parse("a\tb\n"), ElementsAre(Record{"a", "b"}));
  EXPECT_THAT(parse("a;b,c\n"), ElementsAre(Record{"a;b", "c"}));
  EXPECT_THAT(parse("\"a,b\";c\n"), ElementsAre(Record{"a,b", "c"}));
  EXPECT_THAT(parse("a|b,c\n", '|'), ElementsAre(Record{"a", "b,c"}));
}

TEST(CsvReader, KnowsTheLineOfARecord) {
  CsvReader reader(memory_source("t.csv", to_bytes("a\n\"x\ny\"\n\nb,c\n")));
  std::vector<int64_t> lines;
  while (reader.next()) lines.push_back(reader.line());
  EXPECT_THAT(lines, ElementsAre(1, 2, 5));
}

TEST(CsvReader, NamesLineAndColumnOfWhatIsWrong) {
  EXPECT_EQ(message_of([] { parse("a,b\n1,\"x"); }),
            "t.csv:2:2: the quote that opens this field is never closed");
  EXPECT_EQ(message_of([] { parse("a,\"b\"c\n"); }),
            "t.csv:1:2: there is text after the closing quote");
  EXPECT_THAT(message_of([] { parse(std::string("a,b\0c", 5)); }),
              HasSubstr("t.csv:1:2: has a zero"));
}

TEST(CsvReader, HasLimits) {
  const CsvLimits limits{.field_bytes = 4, .record_bytes = 8, .columns = 3};
  EXPECT_THAT(message_of([&] { parse("abcde", 0, limits); }), HasSubstr("longer than 4 bytes"));
  EXPECT_THAT(message_of([&] { parse("abcd,abcd,a", 0, limits); }),
              HasSubstr("longer than 8 bytes"));
  EXPECT_THAT(message_of([&] { parse(",,,", 0, limits); }), HasSubstr("more than 3 columns"));
  EXPECT_EQ(parse("abcd,abcd", 0, limits).size(), 1u);
}

// Fields that lie across the border of two reads.
TEST(CsvReader, ReadsFilesLargerThanItsBuffer) {
  std::string text;
  for (int i = 0; i < 60000; ++i)
    text += std::to_string(i) + ",\"q\"\"" + std::to_string(i) + "\"\r\n";
  const auto records = parse(text);
  ASSERT_EQ(records.size(), 60000u);
  for (size_t i = 0; i < records.size(); ++i)
    ASSERT_EQ(records[i], (Record{std::to_string(i), "q\"" + std::to_string(i)}));
}

TEST(CsvReader, SurvivesDamage) {
  expect_harmless_damage("\xef\xbb\xbfname,\"x, y\"\r\n1,\"a\"\"b\"\r\n\r\n-2.5e3,\n",
                         [](const std::string& bytes) { parse(bytes); });
}

TEST(CsvValue, TellsNumbersFromText) {
  using Kind = CsvValue::Kind;
  EXPECT_EQ(parse_csv_value("42").integer, 42);
  EXPECT_EQ(parse_csv_value(" -7 ").integer, -7);
  EXPECT_EQ(parse_csv_value("+3").integer, 3);
  EXPECT_EQ(parse_csv_value("2.5").number, 2.5);
  EXPECT_EQ(parse_csv_value("1e3").kind, Kind::real);
  EXPECT_EQ(parse_csv_value("1e3").number, 1000);
  EXPECT_EQ(parse_csv_value("True").integer, 1);
  EXPECT_EQ(parse_csv_value("99999999999999999999").kind, Kind::real);
  for (const char* text : {"", " ", "NA", "NaN", "null", "None"})
    EXPECT_EQ(parse_csv_value(text).kind, Kind::missing) << text;
  for (const char* text : {"x", "1,5", "12 000", "+-3", "1e", "0x10", "--1", "+"})
    EXPECT_EQ(parse_csv_value(text).kind, Kind::text) << text;
}

}  // namespace
}  // namespace plimsoll
