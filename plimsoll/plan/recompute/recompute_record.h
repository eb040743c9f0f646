// Turns a recorded walk into a step with copies of tasks and values.
#pragma once

#include <span>

#include "plimsoll/plan/recompute/recompute_walk.h"
#include "plimsoll/plan/recompute/recomputed_step.h"

namespace plimsoll::plan {

RecomputedStep record(const RecomputeFacts& facts, std::span<const Run> runs);

}  // namespace plimsoll::plan
