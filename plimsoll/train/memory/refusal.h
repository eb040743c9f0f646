// The error message for a run that does not fit the memory it is given.
#pragma once

#include <string>

#include "plimsoll/train/memory/advice.h"
#include "plimsoll/train/memory/memory_plan.h"

namespace plimsoll {

struct Refusal {
  const MemoryPlan& plan;
  const MemoryBudget& budget;
  const Advice& advice;
};

// Names the layers that take most, the memory that is enough, and a batch that fits.
std::string to_string(const Refusal& refusal);

}  // namespace plimsoll
