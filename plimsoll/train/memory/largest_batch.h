// How large a batch may be.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "plimsoll/base/memory_budget.h"

namespace plimsoll {

struct LargestBatch {
  int64_t size = 0;       // 0: not even one sample fits
  bool is_most = false;   // larger ones were not tried
  bool is_rough = false;  // somewhat larger ones may fit too
};

// The largest batch whose planned peak is within the budget. `peak_bytes` plans one; it grows with
// the batch, nearly in a straight line, so a few plans are enough. Begins with `first`. With a
// tolerance, one that fits where so many times it does not.
LargestBatch largest_batch(const std::function<int64_t(int64_t batch)>& peak_bytes, int64_t budget,
                           int64_t first = 32, int64_t most = 1 << 16, double tolerance = 1);

// "batches of up to 24 fit in 512.0 MiB (--memory) without saving memory"
std::string to_string(const LargestBatch& batch, const MemoryBudget& budget);

}  // namespace plimsoll
