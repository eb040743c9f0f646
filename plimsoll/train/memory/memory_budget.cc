#include "plimsoll/train/memory/memory_budget.h"

namespace plimsoll {

std::string batch_sentence(const LargestBatch& batch, const MemoryBudget& budget) {
  if (batch.size == 0) return "not even a batch of 1 fits in " + budget.to_string();
  if (batch.is_rough)
    return "a batch of " + std::to_string(batch.size) + " fits in " + budget.to_string();
  return "the largest batch that fits in " + budget.to_string() + " is " +
         std::to_string(batch.size) + (batch.is_most ? " or more" : "");
}

}  // namespace plimsoll
