// Hill climbing: small changes to the order in which buffers are placed, each kept unless it makes
// the arena larger.
#pragma once

#include <cstdint>

#include "plimsoll/plan/offsets/greedy_offsets.h"

namespace plimsoll::plan {

// Improves `start` until it needs no more than `bound` bytes or `work` is spent.
OffsetSolution hill_climb(const OffsetProblem& problem, GreedyResult start, int64_t bound,
                          int64_t work);

}  // namespace plimsoll::plan
