// What each layer takes of a training step.
#pragma once

#include <string>
#include <vector>

#include "plimsoll/engine/memory/step_memory.h"
#include "plimsoll/nn/networks/network.h"
#include "plimsoll/nn/optimizers/optimizer.h"
#include "plimsoll/train/memory/memory_plan.h"

namespace plimsoll {

// The path of a layer from its network on.
std::string without_root(const std::string& path, const std::string& root);

// A row for each scope that makes something in the step, named from the network on, and one for
// each layer whose weights belong to none of them. The optimizer may be empty.
std::vector<MemoryPlan::Row> plan_layers(const Network& network, const Optimizer& optimizer,
                                         const StepMemory& step);

}  // namespace plimsoll
