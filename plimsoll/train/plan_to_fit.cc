#include "plimsoll/train/plan_to_fit.h"

#include "plimsoll/tensor/storage.h"

namespace plimsoll {

MemoryPlan plan_to_fit(ModelSteps& steps, int64_t budget_bytes,
                       const std::function<MemoryPlan()>& plan) {
  // Compiling again may leave the process a little larger.
  constexpr int kAttempts = 3;
  steps.set_arena_budget({});
  MemoryPlan found = plan();
  const int64_t plain_arena = found.arena_bytes;
  int64_t arena = 0;
  for (int i = 0; i < kAttempts && found.peak_bytes > budget_bytes; ++i) {
    const int64_t over = found.peak_bytes - budget_bytes;
    arena = (i == 0 ? Storage::footprint(found.arena_bytes) : arena) - over;
    const int64_t page = Storage::footprint(1);
    arena = arena / page * page;
    if (arena <= 0) break;
    steps.set_arena_budget(arena);
    found = plan();
  }
  found.plain_arena_bytes = plain_arena;
  return found;
}

}  // namespace plimsoll
