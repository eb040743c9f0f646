// From compiled steps to the memory of the whole process.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "plimsoll/nn/networks/network.h"
#include "plimsoll/nn/optimizers/optimizer.h"
#include "plimsoll/train/memory/memory_plan.h"
#include "plimsoll/train/steps/batch_step.h"

namespace plimsoll {

// What will run, and when.
struct PlannedStep {
  std::string phase;  // "training"
  const BatchStep* step = nullptr;
};

struct PlannedRun {
  const Network& network;
  const Optimizer& optimizer;          // may be empty
  std::span<const PlannedStep> steps;  // the first gives the rows
  Variables part_sums = {};
  int64_t input_bytes = 0;      // of batch buffers, which are not made yet
  int64_t callback_bytes = 0;   // that callbacks will keep
  int64_t past_peak_bytes = 0;  // of the process before this run: it is not the run's
  // If given, the program is taken to be of this size, whatever it has compiled since.
  std::optional<int64_t> baseline_bytes = {};
};

// Weights, slots and sums may be reserved only; compiled kernels must be there.
MemoryPlan plan_memory(const PlannedRun& run);

}  // namespace plimsoll
