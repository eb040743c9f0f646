// Placing buffers one after another, each into a gap between those already placed.
#pragma once

#include <cstdint>
#include <span>

#include "plimsoll/plan/offsets/offsets.h"

namespace plimsoll::plan {

enum class Fit {
  first,  // the lowest gap that is large enough
  best,   // the smallest such gap
};

// Sizes in `problem` must be multiples of its alignment; `order` is a permutation of its buffers.
OffsetSolution place_in_order(const OffsetProblem& problem, std::span<const int32_t> order,
                              Fit fit);

// The solution, and the order and fit that led to it.
struct GreedyResult {
  OffsetSolution solution;
  std::vector<int32_t> order;
  Fit fit = Fit::first;
};

// The best of eight: largest, longest, largest area and earliest first, each with both fits. Stops
// at the first one that needs no more than `bound` bytes.
GreedyResult best_greedy(const OffsetProblem& problem, int64_t bound);

}  // namespace plimsoll::plan
