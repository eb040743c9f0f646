#include "plimsoll/data/check/numbers_in_range.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>

namespace plimsoll {
namespace {

SourcePtr labels(const std::vector<int32_t>& numbers) {
  HostTensor y{{DType::int32, {std::ssize(numbers)}},
               std::make_shared<Storage>(std::ssize(numbers) * 4)};
  std::memcpy(y.storage->data(), numbers.data(), numbers.size() * 4);
  return from_tensor_slices({y});
}

void read_all(const Source& source) {
  std::vector<int32_t> numbers(static_cast<size_t>(source.size()));
  std::byte* into[] = {reinterpret_cast<std::byte*>(numbers.data())};
  source.read_run(0, source.size(), into);
}

TEST(NumbersInRange, NameTheRecordAndTheLabel) {
  const NumberRange range{.field = 0, .numbers = {.limit = 3}, .flaw = Flaw::label};
  EXPECT_NO_THROW(read_all(*numbers_in_range(labels({0, 1, 2}), {range})));
  const SourcePtr high = numbers_in_range(labels({0, 3, 2}), {range});
  EXPECT_THAT([&] { read_all(*high); },
              testing::ThrowsMessage<FlawedRecord>(
                  "1: the label is 3, expected a whole number from 0 to 2"));
  int32_t room = 0;
  std::byte* const into[] = {reinterpret_cast<std::byte*>(&room)};
  EXPECT_NO_THROW(high->read(2, into));
  EXPECT_THROW(high->read(1, into), FlawedRecord);
  EXPECT_THROW(read_all(*numbers_in_range(labels({-1}), {range})), FlawedRecord);
}

TEST(NumbersInRange, LeaveTheIgnoredNumberAlone) {
  const NumberRange range{.field = 0, .numbers = {.limit = 3, .ignored = 255}};
  EXPECT_NO_THROW(read_all(*numbers_in_range(labels({255, 1}), {range})));
  EXPECT_THAT([&] { read_all(*numbers_in_range(labels({254}), {range})); },
              testing::ThrowsMessage<FlawedRecord>(
                  "0: 'field 0' is 254, expected a whole number from 0 to 2"));
}

TEST(NumbersInRange, AreWholeWhateverTheirType) {
  const WholeNumbers three{.limit = 3, .ignored = -1};
  EXPECT_TRUE(three.has(2.0f));
  EXPECT_TRUE(three.has(-1.0f));
  EXPECT_FALSE(three.has(0.5f));
  EXPECT_FALSE(three.has(std::nanf("")));
  EXPECT_FALSE(three.has(uint8_t{255}));
  EXPECT_FALSE(three.has(int64_t{3}));
}

}  // namespace
}  // namespace plimsoll
