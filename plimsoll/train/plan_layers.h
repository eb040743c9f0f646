// What each layer takes of a training step.
#pragma once

#include <vector>

#include "plimsoll/engine/step_memory.h"
#include "plimsoll/nn/network.h"
#include "plimsoll/nn/optimizer.h"
#include "plimsoll/train/memory_plan.h"

namespace plimsoll {

// A row for each scope that makes something in the step, named from the network on, and one for
// each layer whose weights belong to none of them. The optimizer may be empty.
std::vector<MemoryPlan::Row> plan_layers(const Network& network, const Optimizer& optimizer,
                                         const StepMemory& step);

}  // namespace plimsoll
