#include "plimsoll/train/files/weight_load.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <utility>
#include <vector>

namespace plimsoll {
namespace {

using ::testing::ElementsAre;

// Values that count how often they are read.
WeightLoad::Read both(float value, int* reads) {
  return [value, reads](DType, std::span<std::byte> into) {
    ++*reads;
    const std::vector<float> values(into.size() / sizeof(float), value);
    std::ranges::copy(std::as_bytes(std::span(values)), into.begin());
  };
}

std::vector<float> taken(const WeightValues& values, const Variable& variable) {
  std::vector<float> found;
  values(variable, [&](std::span<const std::byte> bytes) {
    const auto* begin = reinterpret_cast<const float*>(bytes.data());
    found.assign(begin, begin + bytes.size() / sizeof(float));
  });
  return found;
}

std::vector<float> own(const Variable& variable) {
  return taken(values_in_place, variable);
}

TEST(WeightLoad, StreamsValuesWithoutPuttingThemIntoVariables) {
  const Variable waiting("waiting", {DType::float32, {2}}), other("other", {DType::float32, {2}});
  Variable(other).set(std::vector<float>{7, 8});
  int reads = 0;
  WeightLoad load("file");
  load.add(waiting, {2}, "waiting", both(3, &reads));
  const WeightValues values = load.streamed();
  EXPECT_EQ(reads, 0);
  EXPECT_THAT(taken(values, waiting), ElementsAre(3, 3));
  EXPECT_THAT(taken(values, other), ElementsAre(7, 8));
  EXPECT_EQ(reads, 1);
  EXPECT_THAT(own(waiting), ElementsAre(0, 0));
}

TEST(WeightLoad, PrefersTheValuesThatWereAddedLater) {
  const Variable weight("weight", {DType::float32, {2}});
  int first_reads = 0, later_reads = 0;
  WeightLoad load("model"), later("weights");
  load.add(weight, {2}, "weight", both(1, &first_reads));
  later.add(weight, {2}, "weight", both(2, &later_reads));
  load.add(std::move(later));
  EXPECT_THAT(taken(load.streamed(), weight), ElementsAre(2, 2));
  EXPECT_EQ(first_reads, 0);
}

TEST(WeightLoad, KnowsTheLargestValueThatIsStillToBeRead) {
  const Variable small("small", {DType::float32, {2}}), large("large", {DType::float32, {1 << 20}});
  int reads = 0;
  WeightLoad load("file");
  EXPECT_EQ(load.largest_bytes(), 0);
  load.add(small, {2}, "small", both(1, &reads));
  load.add(large, {1 << 20}, "large", both(1, &reads));
  EXPECT_GE(load.largest_bytes(), 4 << 20);
  load.run();
  EXPECT_EQ(load.largest_bytes(), 0);
}

}  // namespace
}  // namespace plimsoll
