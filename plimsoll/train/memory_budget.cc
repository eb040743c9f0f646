#include "plimsoll/train/memory_budget.h"

#include <algorithm>

#include "plimsoll/base/bytes.h"
#include "plimsoll/base/process_memory.h"

namespace plimsoll {

MemoryBudget memory_budget(const std::string& text) {
  if (!text.empty()) return {parse_bytes(text), true, 0};
  constexpr int64_t kLeastMargin = int64_t{64} << 20;
  const int64_t all = process_memory().resident_bytes + memory_available();
  const int64_t margin = std::min(all / 2, std::max(kLeastMargin, all / 20));
  return {all - margin, false, margin};
}

std::string MemoryBudget::to_string() const {
  if (is_given) return format_bytes(bytes) + " (--memory)";
  return format_bytes(bytes) + " (what this machine gives, less " + format_bytes(margin_bytes) +
         ")";
}

std::string batch_sentence(const LargestBatch& batch, const MemoryBudget& budget) {
  if (batch.size == 0) return "not even a batch of 1 fits in " + budget.to_string();
  return "the largest batch that fits in " + budget.to_string() + " is " +
         std::to_string(batch.size) + (batch.is_most ? " or more" : "");
}

}  // namespace plimsoll
