#include "plimsoll/formats/tensorflow/tf_example.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "plimsoll/base/error.h"
#include "tests/support/damage.h"
#include "tests/support/golden.h"
#include "tests/support/messages.h"

namespace plimsoll {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::message_of;

// Every number of every feature; bytes as their lengths.
std::map<std::string, std::vector<double>> numbers_in(const std::string& bytes) {
  std::map<std::string, std::vector<double>> found;
  const std::string name = "a[0]";
  for_each_feature(
      std::as_bytes(std::span(bytes)), name, [&](std::string_view key, const TfFeature& feature) {
        auto& numbers = found[std::string(key)];
        numbers.clear();
        const auto add = [&](auto value) { numbers.push_back(static_cast<double>(value)); };
        using Kind = TfFeature::Kind;
        if (feature.kind == Kind::floats) feature.for_each_float(name, add);
        if (feature.kind == Kind::integers) feature.for_each_integer(name, add);
        if (feature.kind == Kind::bytes)
          feature.for_each_bytes(name, [&](auto value) { add(value.size()); });
      });
  return found;
}

class TfExampleOfProtobuf : public ::testing::TestWithParam<const char*> {};

TEST_P(TfExampleOfProtobuf, ReadsWhatProtobufReads) {
  const auto golden = testing::read_golden("record_files", GetParam());
  const auto found = numbers_in(golden.bytes("file"));
  const auto names = golden.words("features");
  EXPECT_EQ(found.size(), names.size());
  for (const std::string& name : names) EXPECT_EQ(found.at(name), golden.values(name)) << name;
}

INSTANTIATE_TEST_SUITE_P(, TfExampleOfProtobuf,
                         ::testing::Values("example_unpacked", "example_in_two_parts",
                                           "example_of_changing_kind",
                                           "example_with_a_name_twice"));

TEST(TfExample, RefusesWhatIsNone) {
  EXPECT_THAT(
      message_of([] {
        numbers_in(
            "\x0a\x05"
            "abc");
      }),
      HasSubstr("a[0]: is not a protobuf message: field 1 is said to have 5 bytes where 3"));
  EXPECT_THAT(message_of([] { numbers_in("\x0b"); }), HasSubstr("field 1 is of kind 3"));
  EXPECT_THAT(message_of([] { numbers_in("\x08\xff\xff"); }), HasSubstr("a number does not end"));
  EXPECT_THAT(message_of([] { numbers_in("\x08\x01"); }),
              HasSubstr("is not a tf.train.Example: its features are not a message"));
  EXPECT_THAT(message_of([] {
                numbers_in(
                    "\x0a\x0b\x0a\x09\x0a\x01"
                    "a\x12\x04\x12\x02\x0a\x00");
              }),
              HasSubstr("is said to have"));
}

TEST(TfExample, RefusesAListOfAnotherType) {
  // One float of three bytes.
  const std::string list(
      "\x0a\x03"
      "abc",
      5);
  const auto wrapped = [](char key, const std::string& data) {
    return std::string{key, static_cast<char>(data.size())} + data;
  };
  const std::string entry = wrapped(0x0a, "a") + wrapped(0x12, wrapped(0x12, list));
  EXPECT_THAT(message_of([&] { numbers_in(wrapped(0x0a, wrapped(0x0a, entry))); }),
              HasSubstr("a list of floats is stored as something else"));
}

TEST(TfExample, IsHarmlessWhenDamaged) {
  const std::string bytes = testing::read_golden("record_files", "example_unpacked").bytes("file");
  expect_harmless_damage(bytes, [](const std::string& damaged) { numbers_in(damaged); });
}

}  // namespace
}  // namespace plimsoll
