// What is said of a run that does not fit the memory it is given.
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

// The layers that weigh most, what would do, and what a smaller model would save.
std::string to_string(const Refusal& refusal);

}  // namespace plimsoll
