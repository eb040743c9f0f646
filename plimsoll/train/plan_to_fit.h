// Fits a run into the memory it is given.
#pragma once

#include <cstdint>
#include <functional>

#include "plimsoll/train/memory_plan.h"
#include "plimsoll/train/model_steps.h"

namespace plimsoll {

// What `plan` says of the model's steps; where that is over the budget, what it says of steps that
// are compiled to leave something of their arena. They stay compiled so.
MemoryPlan plan_to_fit(ModelSteps& steps, int64_t budget_bytes,
                       const std::function<MemoryPlan()>& plan);

// The smallest peak that any of it reaches, to a tenth of the arena.
int64_t smallest_peak(ModelSteps& steps, const std::function<MemoryPlan()>& plan);

}  // namespace plimsoll
