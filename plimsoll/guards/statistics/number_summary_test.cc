#include "plimsoll/guards/statistics/number_summary.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>
#include <random>
#include <vector>

namespace plimsoll {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kMost = std::numeric_limits<float>::max();

TEST(NumberSummary, OfNumbersWhoseSumsAreKnown) {
  const std::vector<float> numbers = {2, 4, 4, 4, 5, 5, 7, 9};
  const NumberSummary found = summarize(numbers);
  EXPECT_EQ(found.count, 8);
  EXPECT_EQ(found.sum, 40);
  EXPECT_EQ(found.squares, 232);
  EXPECT_EQ(found.mean(), 5);
  EXPECT_EQ(found.deviation(), 2);
  EXPECT_EQ(found.norm(), std::sqrt(232.0));
  EXPECT_EQ(found.least, 2);
  EXPECT_EQ(found.largest, 9);
  EXPECT_EQ(found.zeros + found.saturated + found.not_finite, 0);
}

TEST(NumberSummary, NumbersThatAreNotFiniteAreCountedAndLeftOut) {
  const std::vector<float> numbers = {kNan, 3, kInfinity, 0, -kInfinity, -0.0f, -5, kNan, 4};
  const NumberSummary found = summarize(numbers, {.least = -1, .largest = 1});
  EXPECT_EQ(found.not_finite, 4);
  EXPECT_EQ(found.zeros, 2);
  EXPECT_EQ(found.saturated, 3) << "3, -5 and 4; what is infinite is no output of an activation";
  EXPECT_EQ(found.mean(), 2.0 / 5);
  EXPECT_EQ(found.norm(), std::sqrt(50.0));
  EXPECT_DOUBLE_EQ(found.deviation(), std::sqrt(10 - 0.4 * 0.4));
  EXPECT_EQ(found.least, -5);
  EXPECT_EQ(found.largest, 4);
  EXPECT_EQ(found.share(found.zeros), 2.0 / 9) << "of all numbers";
}

TEST(NumberSummary, OfNothingFiniteIsZero) {
  for (const std::vector<float>& numbers :
       {std::vector<float>(), std::vector<float>{kNan, kInfinity, -kInfinity}}) {
    const NumberSummary found = summarize(numbers);
    EXPECT_EQ(found.not_finite, std::ssize(numbers));
    for (const double number : {found.mean(), found.deviation(), found.norm(), found.least,
                                found.largest, found.share(found.zeros)})
      EXPECT_EQ(number, 0);
  }
}

TEST(NumberSummary, TheEndsOfTheSteepRangeAreNotSaturated) {
  const std::vector<float> numbers = {0.01f, 0.99f, 0.009f, 0.991f, 0.5f};
  EXPECT_EQ(summarize(numbers, {.least = 0.01f, .largest = 0.99f}).saturated, 2);
  EXPECT_EQ(summarize(numbers).saturated, 0);
}

TEST(NumberSummary, TheSquareOfTheLargestNumberIsFinite) {
  const std::vector<float> numbers = {kMost, -kMost};
  const NumberSummary found = summarize(numbers);
  EXPECT_EQ(found.not_finite, 0);
  EXPECT_EQ(found.mean(), 0);
  EXPECT_DOUBLE_EQ(found.norm(), std::sqrt(2.0) * kMost);
  EXPECT_DOUBLE_EQ(found.deviation(), kMost);
}

// Whole numbers, so that sums in any order are the same, and every ninth is not finite.
float number_at(size_t i) {
  if (i % 9 == 4) return i % 2 == 0 ? kNan : -kInfinity;
  return static_cast<float>(static_cast<int>(i * 7 % 23) - 11);
}

// Vectors have 8 numbers and blocks 4,096.
TEST(NumberSummary, OfAnySizeIsThatOfAPlainLoop) {
  std::vector<size_t> sizes(70);
  std::iota(sizes.begin(), sizes.end(), size_t{0});
  for (const size_t size : {4095, 4096, 4097, 4103, 4104, 8191, 12289}) sizes.push_back(size);
  for (const size_t size : sizes) {
    SCOPED_TRACE(size);
    std::vector<float> numbers;
    int64_t bad = 0, zeros = 0, saturated = 0, sum = 0, squares = 0, least = 99, largest = -99;
    for (size_t i = 0; i < size; ++i) {
      numbers.push_back(number_at(i));
      if (!std::isfinite(numbers.back())) {
        ++bad;
        continue;
      }
      const auto whole = static_cast<int64_t>(numbers.back());
      zeros += whole == 0;
      saturated += whole < -9 || whole > 10;
      sum += whole;
      squares += whole * whole;
      least = std::min(least, whole);
      largest = std::max(largest, whole);
    }
    const NumberSummary found = summarize(numbers, {.least = -9, .largest = 10});
    EXPECT_EQ(found.count, static_cast<int64_t>(size));
    EXPECT_EQ(found.not_finite, bad);
    EXPECT_EQ(found.zeros, zeros);
    EXPECT_EQ(found.saturated, saturated);
    EXPECT_EQ(found.sum, static_cast<double>(sum));
    EXPECT_EQ(found.squares, static_cast<double>(squares));
    if (size == 0) continue;
    EXPECT_EQ(found.least, static_cast<double>(least));
    EXPECT_EQ(found.largest, static_cast<double>(largest));
  }
}

Histogram histogram_of(const std::vector<float>& numbers, size_t bins) {
  Histogram histogram;
  histogram.counts.assign(bins, 77);  // of the tensor before
  fill_histogram(numbers, summarize(numbers), histogram);
  return histogram;
}

TEST(NumberSummary, BinsAreEqualAndTheLastHasTheLargestNumber) {
  const Histogram found = histogram_of({0, 1, 2, 3, 4, kNan, 0.5f, kInfinity, 3.99f}, 4);
  EXPECT_EQ(found.least, 0);
  EXPECT_EQ(found.largest, 4);
  EXPECT_THAT(found.counts, ElementsAre(2, 1, 1, 3));
}

TEST(NumberSummary, EqualNumbersAreInTheFirstBin) {
  EXPECT_THAT(histogram_of({-3, -3, kNan, -3}, 3).counts, ElementsAre(3, 0, 0));
  EXPECT_THAT(histogram_of({kInfinity, kNan}, 3).counts, Each(0));
  EXPECT_THAT(histogram_of({}, 3).counts, Each(0));
}

TEST(NumberSummary, EveryFiniteNumberIsInOneBinWhateverTheirRange) {
  std::mt19937 random(3);
  for (int round = 0; round < 200; ++round) {
    std::uniform_int_distribution<uint32_t> bits;
    std::vector<float> numbers;
    for (uint32_t i = 0; i < 50; ++i) numbers.push_back(std::bit_cast<float>(bits(random)));
    if (round % 2 == 0)
      numbers.insert(numbers.end(), {kMost, -kMost, std::numeric_limits<float>::denorm_min()});
    const Histogram found = histogram_of(numbers, 30);
    EXPECT_EQ(std::accumulate(found.counts.begin(), found.counts.end(), int64_t{0}),
              std::ranges::count_if(numbers, [](float number) { return std::isfinite(number); }));
    EXPECT_GT(found.counts.front(), 0);
    EXPECT_GT(found.counts.back(), 0);
  }
}

// Channel c is 0 everywhere where `is_dead` says so; elsewhere one element of one sample is not.
std::vector<float> channels_in(const Shape& shape, Layout layout, const std::vector<bool>& is_dead,
                               float alive) {
  std::vector<float> numbers(static_cast<size_t>(shape.elements()), 0.0f);
  const int64_t channels = shape.back(), positions = shape.elements() / channels;
  for (int64_t c = 0; c < channels; ++c) {
    const int64_t position = (5 * c + 3) % positions;
    const int64_t at = offset_of(position * channels + c, shape, layout);
    numbers[static_cast<size_t>(at)] = is_dead[static_cast<size_t>(c)] ? -0.0f : alive;
  }
  return numbers;
}

TEST(NumberSummary, DeadChannelsAreZeroInEverySampleAndPositionWhateverTheLayout) {
  const Shape shape = {3, 2, 2, 24};
  std::vector<bool> is_dead(24);
  for (const size_t dead : {0, 7, 8, 22}) is_dead[dead] = true;
  std::vector<uint32_t> seen(24, 5);  // of the layer before
  for (const Layout layout : {Layout::plain(), Layout::blocked(8)})
    for (const float alive : {1.0f, -1e-30f, kNan, kInfinity}) {
      const std::vector<float> numbers = channels_in(shape, layout, is_dead, alive);
      const ChannelView view = ChannelView::of(shape, layout);
      ASSERT_EQ(view.channels(), 24);
      EXPECT_EQ(count_dead_channels(numbers.data(), view, seen), 4);
    }
}

}  // namespace
}  // namespace plimsoll
