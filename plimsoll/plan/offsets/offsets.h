// Where each buffer of a step lies in one arena, chosen before anything runs.
#pragma once

#include <cstdint>

#include "plimsoll/plan/offsets/offset_problem.h"

namespace plimsoll::plan {

// Work is counted, not timed, so that one problem has one solution on every machine.
struct OffsetOptions {
  // How many visits of buffers may be spent beyond the greedy orders if those miss the lower bound
  // by more than a thousandth. A million visits take one or two milliseconds.
  int64_t work = 800'000'000;
  // A solution of at most this size is not made smaller, and one between this and the best that the
  // greedy orders find is not looked for. 0: the smallest that the work suffices for.
  int64_t enough_bytes = 0;
};

// The bytes that are live at the worst moment, and the first such moment (0 of no buffer).
struct LivePeak {
  int64_t bytes = 0;
  int32_t moment = 0;
};
LivePeak live_peak(const OffsetProblem& problem);

// No arena can be smaller than this.
int64_t max_live_bytes(const OffsetProblem& problem);

// Buffers whose lives share a moment get disjoint bytes. Throws InvalidArgument for a negative
// size, a life that ends before it begins, or an alignment below one.
OffsetSolution assign_offsets(const OffsetProblem& problem, const OffsetOptions& options = {});

}  // namespace plimsoll::plan
