#include "plimsoll/data/sources/jsonl_source.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "plimsoll/base/flaw.h"
#include "plimsoll/tensor/text.h"
#include "tests/support/messages.h"
#include "tests/support/temporary_folder.h"

namespace plimsoll {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::message_of;

class Jsonl : public ::testing::Test {
 protected:
  SourcePtr open(const std::string& text, const JsonlOptions& options) {
    std::ofstream(path()) << text;
    return jsonl_source({path()}, options);
  }
  std::string path() const { return folder_.path("a.jsonl"); }

  // The numbers of a field, which all take four bytes.
  template <class T>
  static std::vector<T> read(const Source& source, int64_t record, size_t field) {
    std::vector<std::vector<T>> rooms;
    std::vector<std::byte*> into;
    for (const Spec& spec : source.fields())
      rooms.emplace_back(static_cast<size_t>(spec.shape.elements()));
    for (auto& room : rooms) into.push_back(reinterpret_cast<std::byte*>(room.data()));
    source.read(record, into);
    return rooms[field];
  }
  static Flaw flaw_in(const Source& source, int64_t record) {
    try {
      read<float>(source, record, 0);
    } catch (const FlawedRecord& error) {
      return error.flaw();
    }
    return Flaw::invalid;
  }

  TemporaryFolder folder_;
};

TEST_F(Jsonl, ReadsAnyLine) {
  const SourcePtr source =
      open("{\"x\": [1, 2], \"y\": 0}\n{\"y\": 1, \"x\": [3, 4.5]}\r\n{\"x\": [5, 6], \"y\": 2}",
           {.inputs = {{"x"}}, .targets = {{"y"}}});
  EXPECT_EQ(source->size(), 3);
  EXPECT_EQ(source->fields(), (Specs{{DType::float32, {2}}, {DType::int32, {}}}));
  EXPECT_THAT(read<float>(*source, 1, 0), ElementsAre(3, 4.5));
  EXPECT_THAT(read<int32_t>(*source, 2, 1), ElementsAre(2));
  EXPECT_EQ(source->name(2), path() + ":3");
  EXPECT_EQ(source->element_name(0, 1), "column 1 of 'x'");
}

TEST_F(Jsonl, FindsAnyOfManyLines) {
  std::string text;
  for (int i = 0; i < 5000; ++i) text += "{\"x\": " + std::to_string(i) + "}\n";
  const SourcePtr source = open(text, {.inputs = {{"x"}}});
  for (const int64_t record : {4999, 0, 2501, 1})
    EXPECT_THAT(read<float>(*source, record, 0), ElementsAre(static_cast<float>(record)));
}

TEST_F(Jsonl, PutsKeysTogetherAndMakesClassesOfTexts) {
  const std::string text =
      "{\"a\": 1, \"b\": [2, 3], \"kind\": \"dog\"}\n{\"a\": 4, \"b\": [5, 6], \"kind\": "
      "\"cat\"}\n";
  const SourcePtr source = open(text, {.inputs = {{"a", "b"}}, .targets = {{"kind"}}});
  EXPECT_THAT(read<float>(*source, 1, 0), ElementsAre(4, 5, 6));
  EXPECT_THAT(read<int32_t>(*source, 0, 1), ElementsAre(1));
  EXPECT_THAT(source->class_names(), ElementsAre("cat", "dog"));
  EXPECT_EQ(source->element_name(0, 0), "'a'");
  EXPECT_EQ(source->element_name(0, 2), "column 1 of 'b'");
  const SourcePtr named =
      open(text, {.inputs = {{"a"}}, .targets = {{"kind"}}, .class_names = {"dog", "fox", "cat"}});
  EXPECT_THAT(read<int32_t>(*named, 1, 1), ElementsAre(2));
}

TEST_F(Jsonl, ABadLineIsABadRecord) {
  const SourcePtr source = open(
      "broken\n{\"x\": [1, 2], \"y\": 1}\n{\"x\": [1], \"y\": 1}\n{\"x\": [1, 2]}\n\n"
      "{\"x\": \"text\", \"y\": 1}\n{\"x\": [3, 4], \"y\": \"b\"}\n{\"x\": [5, 6], \"y\": 3}\n",
      {.inputs = {{"x"}}, .targets = {{"y"}}});
  EXPECT_EQ(source->size(), 8);
  EXPECT_EQ(flaw_in(*source, 0), Flaw::damaged);
  EXPECT_EQ(flaw_in(*source, 2), Flaw::shape);
  EXPECT_EQ(flaw_in(*source, 3), Flaw::missing);
  EXPECT_EQ(flaw_in(*source, 4), Flaw::empty);
  EXPECT_EQ(flaw_in(*source, 5), Flaw::not_a_number);
  EXPECT_EQ(flaw_in(*source, 6), Flaw::not_a_number);
  EXPECT_THAT(read<float>(*source, 7, 0), ElementsAre(5, 6));
  EXPECT_THAT(message_of([&] { read<float>(*source, 2, 0); }),
              HasSubstr("a.jsonl:3: 'x' expected the shape (2,) as in the first line that has it"));
}

TEST_F(Jsonl, ClassesThatAreNoneAreLabelsThatAreNone) {
  const SourcePtr source = open("{\"y\": \"a\"}\n{\"y\": \"b\"}\n{\"y\": 3}\n{}\n",
                                {.targets = {{"y"}}, .class_names = {"a"}});
  EXPECT_THAT(read<int32_t>(*source, 0, 0), ElementsAre(0));
  EXPECT_EQ(flaw_in(*source, 1), Flaw::label);
  EXPECT_EQ(flaw_in(*source, 2), Flaw::label);
  EXPECT_EQ(flaw_in(*source, 3), Flaw::missing);
}

TEST_F(Jsonl, FillsGapsWithWhatStandsForThem) {
  const SourcePtr source =
      open("{\"x\": [1, 2]}\n{\"x\": null}\n", {.inputs = {{"x"}}, .missing = -1});
  EXPECT_THAT(read<float>(*source, 1, 0), ElementsAre(-1, -1));
}

// One line decides nothing: most of them do.
TEST_F(Jsonl, ATargetIsWhatMostLinesHave) {
  const JsonlOptions numbers{.targets = {{"y"}}, .take_classes = {false}};
  const SourcePtr quoted = open("{\"y\": \"3.5\"}\n{\"y\": 12}\n{\"y\": \" 7 \"}\n", numbers);
  EXPECT_EQ(quoted->fields(), (Specs{{DType::float32, {}}}));
  EXPECT_THAT(read<float>(*quoted, 0, 0), ElementsAre(3.5));
  EXPECT_THAT(read<float>(*quoted, 2, 0), ElementsAre(7));
  for (const char* cell : {"\"N/A\"", "\"12x\"", "null", "\"\""}) {
    const std::string text = fmt::format("{{\"y\": {}}}\n{{\"y\": 2}}\n{{\"y\": 5}}\n", cell);
    for (const bool takes_classes : {false, true}) {
      const SourcePtr source = open(text, {.targets = {{"y"}}, .take_classes = {takes_classes}});
      EXPECT_EQ(source->class_names().size(), 0u) << cell;
      EXPECT_THAT(read<int32_t>(*source, 2, 0), ElementsAre(5)) << cell;
      EXPECT_EQ(flaw_in(*source, 0),
                cell == std::string("\"12x\"") ? Flaw::not_a_number : Flaw::missing);
    }
  }
  const std::string kinds =
      "{\"y\": null}\n{\"y\": \"oak\"}\n{\"y\": \"N/A\"}\n{\"y\": \"ash\"}\n{}\n";
  const SourcePtr classes = open(kinds, {.targets = {{"y"}}, .take_classes = {true}});
  EXPECT_THAT(classes->class_names(), ElementsAre("ash", "oak"));
  EXPECT_THAT(read<int32_t>(*classes, 1, 0), ElementsAre(1));
  for (const int64_t gap : {0, 2, 4}) EXPECT_EQ(flaw_in(*classes, gap), Flaw::missing) << gap;
  EXPECT_THAT(message_of([&] { open(kinds, numbers); }),
              HasSubstr("'y' holds text, expected numbers: the loss and the output of the model "
                        "take numbers, not classes"));
}

// Names of classes that are numbers are the same with and without quotes.
TEST_F(Jsonl, NumbersInQuotesNameClassesWhereTheModelTakesThem) {
  const std::string quoted = "{\"y\": \"1\"}\n{\"y\": \"2\"}\n", bare = "{\"y\": 1}\n{\"y\": 2}\n";
  EXPECT_THAT(open(quoted, {.targets = {{"y"}}, .take_classes = {true}})->class_names(),
              ElementsAre("1", "2"));
  const SourcePtr known =
      open(bare, {.targets = {{"y"}}, .take_classes = {true}, .class_names = {"1", "2"}});
  EXPECT_THAT(read<int32_t>(*known, 1, 0), ElementsAre(1));
  EXPECT_EQ(open(quoted, {.targets = {{"y"}}})->class_names().size(), 0u);
}

TEST_F(Jsonl, KeysAndShapesAreThoseOfTheFirstThousandLines) {
  std::string text = "{\"a\": null, \"n\": \"N/A\"}\n";
  for (int i = 0; i < 998; ++i) text += "{\"b\": 1}\n";
  text += "{\"a\": [1, 2], \"c\": 3, \"n\": 4}\n{\"d\": 4}\n";
  const SourcePtr source = open(text, {.inputs = {{"a"}, {"b", "c"}, {"n"}}, .missing = 0});
  EXPECT_THAT(jsonl_keys({path()}), ElementsAre("a", "n", "b", "c"));
  EXPECT_EQ(source->fields()[0].shape, (Shape{2}));
  EXPECT_THAT(read<float>(*source, 999, 0), ElementsAre(1, 2));
  EXPECT_THAT(read<float>(*source, 0, 0), ElementsAre(0, 0));
  EXPECT_THAT(read<float>(*source, 1, 1), ElementsAre(1, 0));
  EXPECT_THAT(read<float>(*source, 999, 2), ElementsAre(4));
}

TEST_F(Jsonl, SeveralTargetsOfTextShareTheirClasses) {
  const JsonlOptions both{.targets = {{"a"}, {"b"}}};
  EXPECT_THAT(
      open("{\"a\": \"x\", \"b\": \"y\"}\n{\"a\": \"y\", \"b\": \"x\"}\n", both)->class_names(),
      ElementsAre("x", "y"));
  EXPECT_THAT(
      message_of(
          [&] { open("{\"a\": \"x\", \"b\": \"p\"}\n{\"a\": \"y\", \"b\": \"q\"}\n", both); }),
      HasSubstr("the classes of the target 'b' are p, q, those of another target are x, y"));
}

TEST_F(Jsonl, RefusesWhatItCannotBe) {
  EXPECT_THAT(message_of([&] { open("a\nb\n", {.inputs = {{"x"}}}); }),
              HasSubstr("has no line that is an object of JSON"));
  EXPECT_THAT(message_of([&] { open("{\"a\": 1, \"b\": 2}\n", {.inputs = {{"x"}}}); }),
              HasSubstr("has no key 'x' (the first lines have a, b)"));
  EXPECT_THAT(message_of([&] { open("{\"x\": \"a\"}\n", {.inputs = {{"x"}}}); }),
              HasSubstr("'x' holds text, expected numbers"));
}

TEST_F(Jsonl, KeepsWholeNumbersThatFloatsWouldRound) {
  const SourcePtr source = open("{\"id\": 100000001}\n{\"id\": -7}\n{\"id\": 1.5}\n",
                                {.inputs = {{"id"}}, .input_dtypes = {DType::int64}});
  EXPECT_EQ(source->fields(), (Specs{{DType::int64, {1}}}));
  EXPECT_THAT(read<int64_t>(*source, 0, 0), ElementsAre(100000001));
  EXPECT_THAT(read<int64_t>(*source, 1, 0), ElementsAre(-7));
  EXPECT_THAT(message_of([&] { read<int64_t>(*source, 2, 0); }),
              HasSubstr("'id' is 1.5, expected an integer"));
}

TEST_F(Jsonl, KeepsTextInSlotsOfTheLongest) {
  const SourcePtr source = open(
      "{\"a\": \"x\", \"b\": \"yes\", \"n\": 1}\n{\"a\": null, \"b\": \"Ärger!\", \"n\": 2}\n"
      "{\"a\": 5, \"b\": \"\", \"n\": 3}\n",
      {.inputs = {{"a", "b"}, {"n"}}, .input_dtypes = {DType::string, DType::float32}});
  EXPECT_EQ(source->fields(), (Specs{{DType::string, {2, 2}}, {DType::float32, {1}}}));
  const auto texts_of = [&](int64_t record) {
    const std::vector<float> slots = read<float>(*source, record, 0);
    const auto* bytes = reinterpret_cast<const std::byte*>(slots.data());
    return std::vector{std::string(text_in(bytes, 8)), std::string(text_in(bytes + 8, 8))};
  };
  EXPECT_THAT(texts_of(0), ElementsAre("x", "yes"));
  EXPECT_THAT(texts_of(1), ElementsAre("", "Ärger!"));
  EXPECT_THAT(message_of([&] { texts_of(2); }), HasSubstr("'a' is a number, expected a text"));
}

}  // namespace
}  // namespace plimsoll
