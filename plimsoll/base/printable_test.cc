#include "plimsoll/base/printable.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace plimsoll {
namespace {

TEST(Printable, LeavesOrdinaryTextAsItIs) {
  const std::string text = "gr\xc3\xbc\xc3\x9f \xe7\x8c\xab \xf0\x9f\x90\x88 \\ 'a' 12%";
  EXPECT_EQ(printable(text), text);
  EXPECT_EQ(printable(""), "");
}

TEST(Printable, WritesControlCharactersOut) {
  EXPECT_EQ(printable("a\x1b[2Jb"), "a\\x1b[2Jb");
  EXPECT_EQ(printable("1\n2\r3\t4"), "1\\n2\\r3\\t4");
  EXPECT_EQ(printable(std::string_view("\0\x07\x7f", 3)), "\\x00\\x07\\x7f");
  EXPECT_EQ(printable("\xc2\x9b"), "\\x9b");          // CSI as one character
  EXPECT_EQ(printable("\xe2\x80\xae"), "\\u202e");    // from right to left
  EXPECT_EQ(printable("\xe2\x80\xa8x"), "\\u2028x");  // line separator
}

TEST(Printable, WritesBytesThatAreNotUtf8Out) {
  EXPECT_EQ(printable("caf\xe9"), "caf\\xe9");
  EXPECT_EQ(printable("\xe9t\xe9"), "\\xe9t\\xe9");
  EXPECT_EQ(printable("\xc0\xaf"), "\\xc0\\xaf");           // a longer form of /
  EXPECT_EQ(printable("\xed\xa0\x80"), "\\xed\\xa0\\x80");  // half of a pair
  EXPECT_EQ(printable("\xf4\x90\x80\x80"), "\\xf4\\x90\\x80\\x80");
  EXPECT_EQ(printable("\xe7\x8c"), "\\xe7\\x8c");  // cut off
}

TEST(Printable, KeepsTheLinesOfATable) {
  EXPECT_EQ(printable_lines("a\x1b\nb\n"), "a\\x1b\nb\n");
}

TEST(Printable, LeavesJsonValid) {
  const nlohmann::json json = {{"a\x1b", "\x7f\xc2\x9b\xe2\x80\xae\n"}};
  const std::string text = printable_json(json.dump(2));
  EXPECT_EQ(text, "{\n  \"a\\u001b\": \"\\u007f\\u009b\\u202e\\n\"\n}");
  EXPECT_EQ(nlohmann::json::parse(text), json);
}

TEST(ValidUtf8, CanBeWrittenAsJson) {
  EXPECT_EQ(valid_utf8("caf\xe9\n"), "caf\\xe9\n");
  for (int first = 0; first < 256; ++first)
    for (int second = 0; second < 256; ++second) {
      const std::string bytes = {static_cast<char>(first), static_cast<char>(second), 'x'};
      EXPECT_NO_THROW(nlohmann::json(valid_utf8(bytes)).dump()) << first << " " << second;
    }
}

TEST(ColumnsOf, CountsCharactersNotBytes) {
  EXPECT_EQ(columns_of("gr\xc3\xbc\xc3\x9f"), 4u);
  EXPECT_EQ(columns_of("\xe7\x8c\xab"), 2u);
  EXPECT_EQ(columns_of("\xe2\x80\xa6"), 1u);
  EXPECT_EQ(columns_of("e\xcc\x81"), 1u);                 // e and a combining accent
  EXPECT_EQ(columns_of("\xe2\x94\x81\xe2\x96\x88"), 2u);  // what bars are drawn with
  EXPECT_EQ(columns_of("\xf0\x9f\x98\x80"), 2u);          // an emoji
}

TEST(Columns, CutTextBetweenCharacters) {
  EXPECT_EQ(within_columns("\xe7\x8c\xab\xe7\x8c\xab", 3), "\xe7\x8c\xab");
  EXPECT_EQ(within_columns("e\xcc\x81x", 1), "e\xcc\x81");
  EXPECT_EQ(within_columns("abc", 9), "abc");
  EXPECT_EQ(within_columns("abc", 0), "");
}

}  // namespace
}  // namespace plimsoll
