// The memory that a run may take.
#pragma once

#include <cstdint>
#include <string>

#include "plimsoll/train/largest_batch.h"

namespace plimsoll {

struct MemoryBudget {
  int64_t bytes = 0;
  bool is_given = false;     // by --memory; else it is what the machine would give
  int64_t margin_bytes = 0;  // left to others where it is not given

  // "512.0 MiB (--memory)"
  std::string to_string() const;
};

// `text` is the value of --memory; empty: what this process holds and may still take, by the
// machine and its control groups, less a margin.
MemoryBudget memory_budget(const std::string& text);

// "the largest batch that fits in 512.0 MiB (--memory) is 24"
std::string batch_sentence(const LargestBatch& batch, const MemoryBudget& budget);

}  // namespace plimsoll
