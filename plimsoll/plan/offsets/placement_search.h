// An exact search for offsets within a given capacity, for problems of up to a few thousand
// buffers.
#pragma once

#include <cstdint>

#include "plimsoll/plan/offsets/offset_problem.h"

namespace plimsoll::plan {

struct PlacementResult {
  enum class Verdict { possible, impossible, gave_up };
  Verdict verdict = Verdict::gave_up;
  OffsetSolution solution;  // where it is possible
  int64_t work = 0;         // spent, in the units of OffsetOptions
};

// Decides whether all buffers have room in `capacity` bytes, or gives up after `work`. Sizes in
// `problem` and `capacity` must be multiples of its alignment.
//
// Blocks are piled on a skyline. In a valley of it (neighbouring sections of one floor, lower than
// both sides) take a section: either one of the blocks within the valley lies there on the
// floor, or the floor is wasted up to where the next block could lie. These options exclude each
// other and cover all solutions; waste beyond a section's slack cuts the branch. The section with
// the fewest options goes first, parts that no waiting block connects are filled separately, and
// skylines that failed are remembered. As a bad early choice can cost any time, the search restarts
// with other preferences after a growing number of choices.
PlacementResult place_within(const OffsetProblem& problem, int64_t capacity, int64_t work);

}  // namespace plimsoll::plan
