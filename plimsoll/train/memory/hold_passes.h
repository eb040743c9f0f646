// The memory of an evaluation or a prediction: it is known before the first step, as fit's is.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "plimsoll/base/memory_budget.h"
#include "plimsoll/train/callbacks/callback.h"
#include "plimsoll/train/model.h"
#include "plimsoll/train/steps/data_pass.h"

namespace plimsoll {

struct PassesToHold {
  const Model& model;
  ModelSteps& steps;
  const char* what;              // "evaluate": errors begin with it
  std::vector<PassData> passes;  // all of one kind
  MemoryBudget budget;
  const Callbacks& callbacks;
  SavingOptions saving = {};
  int64_t kept_bytes = 0;  // that the outputs of all records take
  bool may_part = true;    // batches may run in parts; those of a prediction are then smaller
};

// Compiles the steps so that the process stays in its budget: as the last ones if these do, else
// in the fastest way of saving that does. DoesNotFit if there is none.
std::vector<PassPlan> hold_passes(const PassesToHold& held);

// The budget of a run that is about to begin (memory_budget_here). Warns if more was asked for than
// the machine gives. `reading` gets its share.
MemoryBudget budget_of_run(const std::string& memory, ReadingOptions& reading);

}  // namespace plimsoll
