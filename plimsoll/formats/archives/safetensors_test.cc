#include "plimsoll/formats/archives/safetensors.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "plimsoll/base/error.h"
#include "tests/support/damage.h"
#include "tests/support/temporary_folder.h"

namespace plimsoll {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;
using testing::ThrowsMessage;

SafetensorsFile from_bytes(const std::string& bytes) {
  return SafetensorsFile(memory_source("t.safetensors", to_bytes(bytes)));
}

// A file of this header and so many bytes of elements.
std::string file_of(const std::string& header, size_t bytes) {
  return std::string{static_cast<char>(header.size()), 0, 0, 0, 0, 0, 0, 0} + header +
         std::string(bytes, '\1');
}

template <class T>
std::vector<T> values_of(const SafetensorsFile& file, const std::string& name) {
  const SafetensorsEntry* entry = file.find(name);
  if (entry == nullptr) throw std::runtime_error(name + ": there is no such tensor");
  std::vector<T> values(static_cast<size_t>(entry->shape.elements()));
  file.read(*entry, DTypeOf<T>::value, std::as_writable_bytes(std::span(values)));
  return values;
}

std::string corpus(const std::string& name) {
  return bytes_of(std::string(PLIMSOLL_SOURCE_DIR) + "/fuzz/corpus/safetensors_fuzz/" + name);
}

TEST(Safetensors, ReadsWhatWasWritten) {
  const TemporaryFolder folder;
  const std::vector<float> kernel = {1, 2, 3, 4, 5, 6};
  const std::vector<int64_t> steps = {-1};
  {
    SafetensorsWriter writer(folder.path("a"), {{"dense/kernel", {DType::float32, {2, 3}}},
                                                {"empty", {DType::float32, {0}}},
                                                {"steps", {DType::int64, {}}}});
    writer.append(std::as_bytes(std::span(kernel)));
    writer.append({});
    writer.append(std::as_bytes(std::span(steps)));
  }
  const SafetensorsFile file(file_source(folder.path("a")));
  ASSERT_EQ(file.entries().size(), 3u);
  EXPECT_EQ(file.find("dense/kernel")->shape, (Shape{2, 3}));
  EXPECT_EQ(file.find("dense/kernel")->offset % 8, 0);
  EXPECT_EQ(values_of<float>(file, "dense/kernel"), kernel);
  EXPECT_EQ(values_of<int64_t>(file, "steps"), steps);
  EXPECT_EQ(file.find("dense"), nullptr);
}

// By the library of the format; see fuzz/make_safetensors_corpus.py.
TEST(Safetensors, ReadsNumbersOfEveryType) {
  const SafetensorsFile file = from_bytes(corpus("types.safetensors"));
  for (const char* name : {"F64", "F32", "F16", "BF16"})
    EXPECT_THAT(values_of<float>(file, name), ElementsAre(1.5f, -2, 0, 96)) << name;
  for (const char* name : {"I64", "I32", "I16", "I8"})
    EXPECT_THAT(values_of<int32_t>(file, name), ElementsAre(1, -2, 0, 96)) << name;
  for (const char* name : {"U64", "U32", "U16", "U8"})
    EXPECT_THAT(values_of<int64_t>(file, name), ElementsAre(1, 2, 0, 96)) << name;
  EXPECT_THAT(values_of<uint8_t>(file, "BOOL"), ElementsAre(1, 0));
}

TEST(Safetensors, RefusesAHeaderThatCannotBe) {
  const std::string one = R"({"a": {"dtype": "F32", "shape": [2], "data_offsets": [0, 8]}})";
  EXPECT_NO_THROW(from_bytes(file_of(one, 8)));
  const std::tuple<std::string, size_t, const char*> cases[] = {
      {one, 7, "a has offsets 0 to 8 of 7 bytes"},
      {one, 9, "the last tensor ends at byte"},
      {"[]", 0, "not a JSON object"},
      {"{", 0, "is not JSON"},
      {R"({"a": 3})", 0, "a has no dtype"},
      {R"({"a": {"dtype": "F8", "shape": [], "data_offsets": [0, 1]}})", 1, "unknown dtype"},
      {R"({"a": {"dtype": 8, "shape": [], "data_offsets": [0, 1]}})", 1, "unknown dtype"},
      {R"({"a": {"dtype": "U8", "shape": 1, "data_offsets": [0, 1]}})", 1, "no shape"},
      {R"({"a": {"dtype": "U8", "shape": [-1], "data_offsets": [0, 1]}})", 1, "whole numbers"},
      {R"({"a": {"dtype": "U8", "shape": [4294967296, 4294967296], "data_offsets": [0, 0]}})", 0,
       "too large"},
      {R"({"a": {"dtype": "U8", "shape": [1], "data_offsets": [1, 0]}})", 1, "offsets 1 to 0"},
      {R"({"a": {"dtype": "U8", "shape": [1], "data_offsets": [0]}})", 1, "not have two offsets"},
      {R"({"a": {"dtype": "U8", "shape": [2], "data_offsets": [0, 1]}})", 1, "(2,) in 1 bytes"},
      {R"({"a": {"dtype": "U8", "shape": [1], "data_offsets": [1, 2]}})", 2, "does not begin"},
      {R"({"a": {"dtype": "U8", "shape": [2], "data_offsets": [0, 2]},)"
       R"("b": {"dtype": "U8", "shape": [2], "data_offsets": [1, 3]}})",
       3, "b does not begin where"}};
  for (const auto& [header, bytes, reason] : cases)
    EXPECT_THAT([&] { from_bytes(file_of(header, bytes)); },
                ThrowsMessage<CorruptFile>(AllOf(StartsWith("t.safetensors: "), HasSubstr(reason))))
        << header;
  EXPECT_THAT([&] { from_bytes(std::string(8, '\xff')); },
              ThrowsMessage<CorruptFile>(HasSubstr("at most 100000000")));
  EXPECT_THAT([&] { from_bytes("short"); }, ThrowsMessage<CorruptFile>(HasSubstr("size of the")));
}

TEST(Safetensors, SurvivesEveryTruncationAndEveryFlippedBit) {
  expect_harmless_damage(corpus("types.safetensors"), [](const std::string& bytes) {
    const SafetensorsFile file = from_bytes(bytes);
    for (const SafetensorsEntry& entry : file.entries()) values_of<float>(file, entry.name);
  });
}

TEST(Safetensors, WritesNoNameTwice) {
  const TemporaryFolder folder;
  const std::pair<std::string, Spec> tensor = {"a", {DType::float32, {}}};
  EXPECT_THROW(SafetensorsWriter(folder.path("a"), {tensor, tensor}), InvalidArgument);
}

}  // namespace
}  // namespace plimsoll
