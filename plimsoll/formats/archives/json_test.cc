#include "plimsoll/formats/archives/json.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <nlohmann/json.hpp>

#include "plimsoll/base/error.h"

namespace plimsoll {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;
using testing::ThrowsMessage;

TEST(Json, KeepsTheOrderOfKeys) {
  EXPECT_EQ(dump_json(parse_json(R"({"b": 1, "a": [1.5, null, "x"], "0": {}})", "t.json")),
            R"({"b": 1, "a": [1.5, null, "x"], "0": {}})");
}

TEST(Json, WritesAsPythonDoes) {
  // By json.dumps(json.loads(text)).
  for (const char* text :
       {R"({"module": "keras", "config": {"rate": 0.1, "epsilon": 1e-07, "seed": null, "n": -3}})",
        R"(["\u00e4\ud83d\ude00", "\"\\\n\t\u0001/", true, false, [], [[]], {}])",
        "[0.0010000000474974513, 1.0, 12345.678, 0.0001, 1e-05, 1e+22, 9007199254740993]"})
    EXPECT_EQ(dump_json(parse_json(text, "t.json")), text);
}

TEST(Json, NamesThePlaceWhereTheTextIsWrong) {
  EXPECT_THAT([] { parse_json("{\n  \"a\": 1,\n  \"b\": tru\n}", "t.json"); },
              ThrowsMessage<CorruptFile>(
                  AllOf(StartsWith("t.json: is not JSON at line 3, column "), HasSubstr("tru"))));
  EXPECT_THAT([] { parse_json("", "t.json"); },
              ThrowsMessage<CorruptFile>(HasSubstr("line 1, column 1")));
  EXPECT_THROW(parse_json("[1] x", "t.json"), CorruptFile);
  EXPECT_THROW(parse_json("[1e999]", "t.json"), CorruptFile);
  EXPECT_THROW(parse_json("[\"\\ud800\"]", "t.json"), CorruptFile);
  EXPECT_THROW(parse_json("[\"\xff\"]", "t.json"), CorruptFile);
}

TEST(Json, GoesNoFurtherThanItsLimits) {
  const std::string deep = std::string(100, '[') + std::string(100, ']');
  EXPECT_NO_THROW(parse_json(deep, "t.json"));
  EXPECT_THAT(
      [&] { parse_json("[" + deep + "]", "t.json"); },
      ThrowsMessage<CorruptFile>(HasSubstr("deeper than 100 levels at line 1, column 101")));
  EXPECT_NO_THROW(
      parse_json("\"" + std::string(500, '[') + "\\\"" + std::string(500, '{') + "\"", "t.json"));
  EXPECT_THAT([] { parse_json("[1, 2]", "t.json", {.max_bytes = 5}); },
              ThrowsMessage<CorruptFile>(HasSubstr("t.json: holds 6 B of JSON, at most 5 B")));
}

TEST(Json, WritesOnlyWhatCanBeReadAgain) {
  EXPECT_THROW(dump_json("\xff"), InvalidArgument);
  EXPECT_THROW(dump_json(std::numeric_limits<double>::infinity()), InvalidArgument);
}

}  // namespace
}  // namespace plimsoll
