// Placing buffers one after another, each into a gap between those already placed.
#pragma once

#include <cstdint>
#include <span>

#include "plimsoll/plan/offsets/offset_problem.h"

namespace plimsoll::plan {

// Which of the gaps that are large enough takes a buffer.
enum class Gap {
  lowest,
  smallest,
};

// Sizes in `problem` must be multiples of its alignment; `order` is a permutation of its buffers.
OffsetSolution place_in_order(const OffsetProblem& problem, std::span<const int32_t> order,
                              Gap gap);

// The solution, and the order and kind of gap that led to it.
struct GreedyResult {
  OffsetSolution solution;
  std::vector<int32_t> order;
  Gap gap = Gap::lowest;
};

// The best of eight: largest, longest, largest area and earliest first, each with both kinds of
// gap. Stops at the first one that needs no more than `bound` bytes.
GreedyResult best_greedy(const OffsetProblem& problem, int64_t bound);

}  // namespace plimsoll::plan
