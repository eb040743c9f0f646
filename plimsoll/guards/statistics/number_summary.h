// Passes over float32 numbers: sums, extremes and counts. They add in a fixed order, on the calling
// thread, so the same numbers give the same bits; and they allocate nothing.
#pragma once

#include <cstdint>
#include <limits>
#include <span>

#include "plimsoll/record/step_statistics.h"
#include "plimsoll/tensor/layout.h"

namespace plimsoll {

// Numbers outside of it are at the flat ends of an activation. By default none are.
struct SteepRange {
  float least = -std::numeric_limits<float>::infinity();
  float largest = std::numeric_limits<float>::infinity();
};

// Of the numbers that are finite; the others are counted in `not_finite` alone.
struct NumberSummary {
  int64_t count = 0;  // of all
  int64_t not_finite = 0, zeros = 0;
  int64_t saturated = 0;  // outside of the steep range
  double sum = 0, squares = 0;
  double least = 0, largest = 0;  // 0 if no number is finite

  double mean() const;
  double deviation() const;
  double norm() const;
  // Of all numbers.
  double share(int64_t some) const;
};

NumberSummary summarize(std::span<const float> numbers, const SteepRange& steep = {});

// Bins between the least and the largest of the finite numbers, into `histogram.counts`, which has
// its size. All are in the first bin where they are equal.
void fill_histogram(std::span<const float> numbers, const NumberSummary& summary,
                    Histogram& histogram);

// How many channels of the tensor are 0 everywhere. `seen` has room for one number per channel.
int64_t count_dead_channels(const float* numbers, const ChannelView& view,
                            std::span<uint32_t> seen);

}  // namespace plimsoll
