// Recompute: a step fits into fewer bytes where values are dropped and made again before their next
// use. The result is a step like any other, with copies of tasks and values in it, so that all code
// that reads, places or checks a step works on it too.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "plimsoll/plan/recompute/recomputed_step.h"

namespace plimsoll::plan {

// How long to search for a way to recompute.
enum class RecomputeEffort {
  full,  // the fastest way that about a second of work finds
  any,   // the first way, to learn whether there is one
};

// At most `budget_bytes` are live at once; `order` must be legal. Of several ways the one with the
// least extra time; none where no way was found. Tasks repeat in stage 0 alone, and only where they
// may; nothing that a later stage reads is dropped before it. The work is bounded and counted: a
// second at most for 2,000 tasks; the same step and budget give the same result.
std::optional<RecomputedStep> recompute_within(const StepProblem& problem,
                                               std::span<const int32_t> order, int64_t budget_bytes,
                                               RecomputeEffort effort = RecomputeEffort::full);

// No way to fit by recomputing, in this order, takes less than these extra seconds: at each moment,
// what is over the budget must have been freed by values that are made again later, which takes at
// least their makers' time. (Values that must be remade first cost more, which this bound ignores.)
double least_recompute_seconds(const StepProblem& problem, std::span<const int32_t> order,
                               int64_t budget_bytes);

// No way to recompute, spill or order leaves less live at once: some task reads and makes this
// much.
int64_t least_live_bytes(const StepProblem& problem);

}  // namespace plimsoll::plan
