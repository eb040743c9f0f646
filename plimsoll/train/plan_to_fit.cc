#include "plimsoll/train/plan_to_fit.h"

#include <algorithm>

#include "plimsoll/tensor/storage.h"

namespace plimsoll {
namespace {

// Plans with ever less for the arena until the peak is not over the budget, or nothing helps.
MemoryPlan plan_with_less(ModelSteps& steps, int64_t budget_bytes, MemoryPlan found, int parts,
                          const std::function<MemoryPlan()>& plan) {
  // Compiling again may leave the process a little larger.
  constexpr int kAttempts = 3;
  const int64_t page = Storage::footprint(int64_t{1} << 21);
  int64_t arena = Storage::footprint(found.arena_bytes);
  for (int i = 0; i < kAttempts && found.peak_bytes > budget_bytes; ++i) {
    arena = (arena - (found.peak_bytes - budget_bytes)) / page * page;
    if (arena <= 0) break;
    steps.set_saving({.arena_budget = arena, .sequence_parts = parts});
    found = plan();
    if (found.arena_bytes > arena) break;  // it cannot be done
  }
  return found;
}

}  // namespace

MemoryPlan plan_to_fit(ModelSteps& steps, int64_t budget_bytes,
                       const std::function<MemoryPlan()>& plan) {
  steps.set_saving({});
  const MemoryPlan plain = plan();
  MemoryPlan found = plan_with_less(steps, budget_bytes, plain, 1, plan);
  // Parts of a sequence are computed again one by one.
  for (const int parts : {4, 16, 64}) {
    if (found.peak_bytes <= budget_bytes) break;
    steps.set_saving({.sequence_parts = parts});
    const MemoryPlan cut = plan();
    if (!steps.cuts_sequences()) break;
    found = plan_with_less(steps, budget_bytes, cut, parts, plan);
  }
  found.plain_arena_bytes = plain.arena_bytes;
  found.sequence_parts = steps.saving().sequence_parts;
  return found;
}

int64_t smallest_peak(ModelSteps& steps, const std::function<MemoryPlan()>& plan) {
  steps.set_saving({});
  const MemoryPlan plain = plan();
  int64_t smallest = plain.peak_bytes;
  for (const int parts : {1, 64}) {
    for (int tenths = 9; tenths > 0; --tenths) {
      const int64_t arena = plain.arena_bytes * tenths / 10;
      steps.set_saving({.arena_budget = arena, .sequence_parts = parts});
      const MemoryPlan found = plan();
      if (found.arena_bytes > arena || (parts > 1 && !steps.cuts_sequences())) break;
      smallest = std::min(smallest, found.peak_bytes);
    }
  }
  return smallest;
}

}  // namespace plimsoll
