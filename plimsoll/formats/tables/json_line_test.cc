#include "plimsoll/formats/tables/json_line.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "plimsoll/base/flaw.h"

namespace plimsoll {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using Kind = JsonValue::Kind;

// The flaw and the message.
std::pair<Flaw, std::string> refusal(std::string_view line, const JsonLineLimits& limits = {}) {
  try {
    parse_json_line(line, "a.jsonl:3", limits);
  } catch (const FlawedRecord& error) {
    return {error.flaw(), error.what()};
  }
  return {Flaw::invalid, "no error"};
}

TEST(JsonLine, HoldsNumbersListsAndTexts) {
  const JsonLine line = parse_json_line(
      R"({"a": 1, "b": [1.5, -2e1], "c": "cat", "d": true, "e": null, "f": [[1, 2, 3], [4, 5, 6]]})",
      "a.jsonl:1");
  EXPECT_THAT(line.keys, ElementsAre("a", "b", "c", "d", "e", "f"));
  EXPECT_THAT(line["a"].numbers, ElementsAre(1));
  EXPECT_EQ(line["a"].shape, Shape{});
  EXPECT_TRUE(line["a"].are_whole);
  EXPECT_THAT(line["b"].numbers, ElementsAre(1.5, -20));
  EXPECT_FALSE(line["b"].are_whole);
  EXPECT_EQ(line["c"].kind, Kind::text);
  EXPECT_EQ(line["c"].text, "cat");
  EXPECT_THAT(line["d"].numbers, ElementsAre(1));
  EXPECT_EQ(line["e"].kind, Kind::missing);
  EXPECT_EQ(line["f"].shape, (Shape{2, 3}));
  EXPECT_EQ(line["nothing"].kind, Kind::missing);
}

TEST(JsonLine, MayBeginWithAByteOrderMarkAndBeOfEmptyLists) {
  EXPECT_EQ(parse_json_line("\xef\xbb\xbf{\"a\": []}", "a")["a"].shape, Shape{0});
  EXPECT_EQ(parse_json_line("{}", "a").keys.size(), 0u);
  EXPECT_EQ(parse_json_line(R"({"a": [[], []]})", "a")["a"].shape, (Shape{2, 0}));
}

TEST(JsonLine, SaysWhatIsWrong) {
  EXPECT_EQ(refusal(" "), std::pair(Flaw::empty, std::string("a.jsonl:3: the line is empty")));
  EXPECT_EQ(refusal("{\"a\": 1").first, Flaw::damaged);
  EXPECT_THAT(refusal("{\"a\": 1").second, HasSubstr("is not JSON at column"));
  EXPECT_EQ(refusal("[1]").first, Flaw::damaged);
  EXPECT_EQ(refusal("7").first, Flaw::damaged);
  EXPECT_EQ(refusal("{} {}").first, Flaw::damaged);
  EXPECT_EQ(refusal(R"({"a": NaN})").first, Flaw::damaged);
  EXPECT_EQ(refusal(R"({"a": 1, "a": 2})").first, Flaw::damaged);
  EXPECT_EQ(refusal(R"({"a": {"b": 1}})").first, Flaw::not_a_number);
  EXPECT_EQ(refusal(R"({"a": [{}]})").first, Flaw::not_a_number);
  EXPECT_EQ(refusal(R"({"a": [1, "x"]})").first, Flaw::not_a_number);
  EXPECT_EQ(refusal(R"({"a": [1, null]})").first, Flaw::missing);
  for (const char* ragged : {R"({"a": [[1], [1, 2]]})", R"({"a": [1, [2]]})", R"({"a": [[1], 2]})",
                             R"({"a": [[[1]], [2]]})", R"({"a": [[], 1]})"})
    EXPECT_EQ(refusal(ragged).first, Flaw::shape) << ragged;
}

TEST(JsonLine, KeepsToItsLimits) {
  EXPECT_EQ(refusal(R"({"a": [[[[[[[1]]]]]]]})").first, Flaw::shape);
  EXPECT_EQ(refusal(R"({"a": 12345})", {.line_bytes = 8}).first, Flaw::too_large);
  EXPECT_EQ(refusal(R"({"a": 1, "b": 2})", {.keys = 1}).first, Flaw::too_large);
  EXPECT_EQ(refusal(R"({"a": "long"})", {.text_bytes = 3}).first, Flaw::too_large);
}

}  // namespace
}  // namespace plimsoll
