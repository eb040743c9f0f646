#include "plimsoll/guards/statistics/number_summary.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

namespace plimsoll {
namespace {

constexpr size_t kLanes = 8;
constexpr size_t kBlock = 4096;  // counts of a block fit into 32 bits
constexpr float kMost = std::numeric_limits<float>::max();

// Sums side by side, which a compiler computes with vector instructions: the order of additions is
// part of the result.
struct Lanes {
  std::array<double, kLanes> sum = {}, squares = {};
  std::array<float, kLanes> least, largest;
  std::array<int32_t, kLanes> finite = {}, zeros = {}, saturated = {};

  Lanes() {
    least.fill(kMost);
    largest.fill(-kMost);
  }

  void add(const float* numbers, const SteepRange& steep) {
    for (size_t i = 0; i < kLanes; ++i) {
      const float number = numbers[i];
      const bool is_finite = std::fabs(number) <= kMost;
      const float kept = is_finite ? number : 0.0f;
      const double exact = kept;
      sum[i] += exact;
      squares[i] += exact * exact;
      finite[i] += is_finite;
      zeros[i] += number == 0.0f;
      saturated[i] += is_finite & ((number < steep.least) | (number > steep.largest));
      least[i] = std::min(least[i], is_finite ? number : kMost);
      largest[i] = std::max(largest[i], is_finite ? number : -kMost);
    }
  }
};

void add(const Lanes& lanes, NumberSummary& to, float& least, float& largest) {
  for (size_t i = 0; i < kLanes; ++i) {
    to.sum += lanes.sum[i];
    to.squares += lanes.squares[i];
    to.not_finite -= lanes.finite[i];
    to.zeros += lanes.zeros[i];
    to.saturated += lanes.saturated[i];
    least = std::min(least, lanes.least[i]);
    largest = std::max(largest, lanes.largest[i]);
  }
}

}  // namespace

double NumberSummary::mean() const {
  return count > not_finite ? sum / static_cast<double>(count - not_finite) : 0;
}

double NumberSummary::deviation() const {
  if (count == not_finite) return 0;
  const double variance = squares / static_cast<double>(count - not_finite) - mean() * mean();
  return std::sqrt(std::max(0.0, variance));
}

double NumberSummary::norm() const {
  return std::sqrt(squares);
}

double NumberSummary::share(int64_t some) const {
  return count > 0 ? static_cast<double>(some) / static_cast<double>(count) : 0;
}

NumberSummary summarize(std::span<const float> numbers, const SteepRange& steep) {
  NumberSummary found{.count = std::ssize(numbers), .not_finite = std::ssize(numbers)};
  float least = kMost, largest = -kMost;
  for (size_t begin = 0; begin < numbers.size(); begin += kBlock) {
    const size_t end = std::min(begin + kBlock, numbers.size());
    Lanes lanes;
    size_t i = begin;
    for (; i + kLanes <= end; i += kLanes) lanes.add(numbers.data() + i, steep);
    if (i < end) {
      // The rest, filled up with NaN, which counts for nothing.
      std::array<float, kLanes> rest;
      rest.fill(std::numeric_limits<float>::quiet_NaN());
      std::copy(numbers.begin() + static_cast<ptrdiff_t>(i),
                numbers.begin() + static_cast<ptrdiff_t>(end), rest.begin());
      lanes.add(rest.data(), steep);
    }
    add(lanes, found, least, largest);
  }
  if (found.not_finite < found.count) {
    found.least = least;
    found.largest = largest;
  }
  return found;
}

void fill_histogram(std::span<const float> numbers, const NumberSummary& summary,
                    Histogram& histogram) {
  histogram.least = summary.least;
  histogram.largest = summary.largest;
  std::ranges::fill(histogram.counts, 0);
  const double width = summary.largest - summary.least;
  const double scale = width > 0 ? static_cast<double>(histogram.counts.size()) / width : 0;
  for (const float number : numbers) {
    if (!(std::fabs(number) <= kMost)) continue;
    const auto bin = static_cast<size_t>((static_cast<double>(number) - summary.least) * scale);
    ++histogram.counts[std::min(bin, histogram.counts.size() - 1)];
  }
}

int64_t count_dead_channels(const float* numbers, const ChannelView& view,
                            std::span<uint32_t> seen) {
  std::ranges::fill(seen, 0);
  const auto lanes = static_cast<size_t>(view.lanes);
  for (int64_t outer = 0; outer < view.outer; ++outer)
    for (int64_t block = 0; block < view.blocks; ++block) {
      uint32_t* const of_block = seen.data() + block * view.lanes;
      for (int64_t inner = 0; inner < view.inner; ++inner, numbers += lanes)
        for (size_t lane = 0; lane < lanes; ++lane) {
          uint32_t bits;
          std::memcpy(&bits, numbers + lane, sizeof bits);
          of_block[lane] |= bits << 1;  // without the sign: -0 is 0
        }
    }
  return std::ranges::count(seen, 0u);
}

}  // namespace plimsoll
