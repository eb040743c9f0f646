// From compiled steps to the memory of the whole process.
#pragma once

#include <span>
#include <string>

#include "plimsoll/nn/networks/network.h"
#include "plimsoll/nn/optimizers/optimizer.h"
#include "plimsoll/train/memory/memory_plan.h"
#include "plimsoll/train/steps/batch_step.h"

namespace plimsoll {

// What will run, under the name of its phase.
struct PlannedStep {
  std::string phase;
  const BatchStep* step = nullptr;
};

struct PlannedRun {
  const Network& network;
  const Optimizer& optimizer;          // may be empty
  std::span<const PlannedStep> steps;  // the first gives the rows
  Variables part_sums = {};
  int64_t input_bytes = 0;           // batch buffers
  int64_t resident_input_bytes = 0;  // of them, what is already there
  int64_t past_peak_bytes = 0;       // of the process before this run: it is not the run's
};

// Call when everything but the arena stands: weights, slots, compiled kernels.
MemoryPlan plan_memory(const PlannedRun& run);

}  // namespace plimsoll
