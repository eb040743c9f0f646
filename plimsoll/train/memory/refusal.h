// The error message for a run that does not fit the memory it is given.
#pragma once

#include <string>

#include "plimsoll/train/memory/largest_batch.h"
#include "plimsoll/train/memory/memory_plan.h"

namespace plimsoll {

struct Refusal {
  const MemoryPlan& plan;  // the smallest that was found
  const MemoryBudget& budget;
  int64_t smallest_bytes = 0;  // in which it could be done
  LargestBatch largest = {};
  bool takes_images = false;
};

// Names the layers that take most, the memory that is enough, and what a smaller model would save.
std::string to_string(const Refusal& refusal);

}  // namespace plimsoll
