// What a budget of memory means for the batch.
#pragma once

#include <string>

#include "plimsoll/base/memory_budget.h"
#include "plimsoll/train/memory/largest_batch.h"

namespace plimsoll {

// "the largest batch that fits in 512.0 MiB (--memory) is 24"
std::string batch_sentence(const LargestBatch& batch, const MemoryBudget& budget);

}  // namespace plimsoll
