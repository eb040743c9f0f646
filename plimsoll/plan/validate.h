// Proof that a plan is sound, sharing no code with what made it: used by the tests, and by debug
// builds.
#pragma once

#include <string>
#include <vector>

#include "plimsoll/plan/offsets/offsets.h"
#include "plimsoll/plan/step.h"
#include "plimsoll/plan/step_plan.h"

namespace plimsoll::plan {

// Each returns one sentence per defect; none means sound.

// Offsets are aligned and inside the arena; buffers that share a moment share no byte.
std::vector<std::string> validate_offsets(const OffsetProblem& problem,
                                          const OffsetSolution& solution);

// Runs the plan on the arena's bytes, remembering whose value each holds: the order is legal,
// inputs are intact when read and kept values at the end, a task's outputs and scratch overlap
// nothing that it uses but what it declared, and all is aligned and inside the arena.
std::vector<std::string> validate_plan(const StepProblem& problem, const StepPlan& plan);

}  // namespace plimsoll::plan
