// SampledSteps: which steps of a run are looked at. The choice depends on step numbers and on
// counted work, never on measured times, so a run that is repeated or goes on makes the same one.
//
// From 2^i to 2^(i+1) up to 8 steps are chosen, evenly spread, as many as stay within 1% of the
// work; the first samples, a twentieth of a second in all, come on top of that, so that short runs
// have some too. A run of a million steps has at most some 160 samples, half of them in its first
// thousand steps.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace plimsoll {

// What one sample costs, and what pays for it; in seconds of the same, assumed, machine.
struct SampleCost {
  double sample_seconds = 0, step_seconds = 0;
  int64_t line_bytes = 0;  // that a sample adds to a log
};

class SampledSteps {
 public:
  explicit SampledSteps(const SampleCost& cost);

  bool includes(int64_t step) const;
  // Histograms, which are long, are for 0, 1, 2, 4, … alone.
  static bool has_histograms(int64_t step);

  // For a checkpoint.
  std::vector<int64_t> numbers() const { return {interval_, free_, most_}; }
  // InvalidArgument if they are not what numbers() gives.
  void set_numbers(std::span<const int64_t> numbers);

 private:
  int64_t free_samples(int64_t doubling) const;

  int64_t interval_;  // steps that pay for a sample
  int64_t free_;      // samples that need not be paid for
  int64_t most_;      // between two powers of two: 1, 2, 4 or 8
};

}  // namespace plimsoll
