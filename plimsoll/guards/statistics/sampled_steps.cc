#include "plimsoll/guards/statistics/sampled_steps.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "plimsoll/base/error.h"

namespace plimsoll {
namespace {

// Half of what a sample may cost: the machine at hand is not the assumed one.
constexpr double kShare = 0.005;
constexpr double kFreeSeconds = 0.05;  // the first samples together
constexpr int64_t kMostBytes = int64_t{4} << 20, kDoublings = 20;
constexpr int64_t kMostSamples = 8;  // between two powers of two

}  // namespace

SampledSteps::SampledSteps(const SampleCost& cost) {
  constexpr double kNever = 1e15;
  const double paid_by = cost.sample_seconds / (kShare * cost.step_seconds);
  interval_ = paid_by < kNever ? static_cast<int64_t>(std::ceil(paid_by)) : int64_t{1} << 50;
  interval_ = std::max<int64_t>(interval_, 1);
  free_ = static_cast<int64_t>(kFreeSeconds / std::max(cost.sample_seconds, 1e-6));
  const int64_t fitting = kMostBytes / kDoublings / std::max<int64_t>(cost.line_bytes, 1);
  most_ = static_cast<int64_t>(
      std::bit_floor(static_cast<uint64_t>(std::clamp<int64_t>(fitting, 1, kMostSamples))));
}

// Without paying: evenly spread over the first 16 doublings.
int64_t SampledSteps::free_samples(int64_t doubling) const {
  constexpr int64_t kSpread = 16;
  const int64_t each = std::clamp<int64_t>(free_ / kSpread, 1, most_);
  return (doubling + 1) * each < free_ ? each : 0;
}

bool SampledSteps::includes(int64_t step) const {
  if (step == 0) return true;
  const auto begin = static_cast<int64_t>(std::bit_floor(static_cast<uint64_t>(step)));
  const int64_t samples =
      std::max(begin / interval_, free_samples(std::countr_zero(static_cast<uint64_t>(begin))));
  if (samples < 1) return false;
  const auto count = static_cast<int64_t>(
      std::bit_floor(static_cast<uint64_t>(std::min({samples, most_, begin}))));
  return (step - begin) % (begin / count) == 0;
}

bool SampledSteps::has_histograms(int64_t step) {
  return step == 0 || std::has_single_bit(static_cast<uint64_t>(step));
}

void SampledSteps::set_numbers(std::span<const int64_t> numbers) {
  if (numbers.size() != 3 || numbers[0] < 1 || numbers[2] < 1)
    throw InvalidArgument(
        "statistics: the numbers of the checkpoint do not say which steps are sampled");
  interval_ = numbers[0];
  free_ = numbers[1];
  most_ = numbers[2];
}

}  // namespace plimsoll
