// From compiled steps to the memory of the whole process.
#pragma once

#include <span>
#include <string>

#include "plimsoll/nn/network.h"
#include "plimsoll/nn/optimizer.h"
#include "plimsoll/train/memory_plan.h"

namespace plimsoll {

class CompiledStep;

// A step that will run, under the name of its phase.
struct PlannedStep {
  std::string phase;
  const CompiledStep* step = nullptr;
};

// Call when everything but the arena stands: weights, slots, compiled kernels. `input_bytes` are
// the batch buffers, `resident_input_bytes` of them already there. The first step gives the rows.
MemoryPlan plan_memory(const Network& network, const Optimizer& optimizer,
                       std::span<const PlannedStep> steps, int64_t batch_size, int64_t input_bytes,
                       int64_t resident_input_bytes);

}  // namespace plimsoll
