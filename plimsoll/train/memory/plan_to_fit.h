// Fits a run into the memory it is given.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include "plimsoll/train/memory/memory_plan.h"
#include "plimsoll/train/memory/saving_options.h"
#include "plimsoll/train/steps/model_steps.h"

namespace plimsoll {

// A run whose memory is to be planned.
struct FittedRun {
  ModelSteps& steps;
  RecordFields fields;
  int64_t batch_size;
  SavingOptions options;
  // What the steps take as they are now; compiles them.
  std::function<MemoryPlan()> plan;
};

// The plan of steps that are compiled to stay in the budget in the shortest time, as predicted.
// They stay compiled so. Without a budget nothing is saved that the options do not force. Where
// nothing fits, the smallest that was found.
MemoryPlan plan_to_fit(const FittedRun& run, std::optional<int64_t> budget_bytes);

// The smallest peak that any way of saving reaches, to a tenth of the arena.
int64_t smallest_peak(const FittedRun& run);

}  // namespace plimsoll
