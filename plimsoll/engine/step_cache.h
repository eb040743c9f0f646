// Compiled steps of this thread, found by the structure of the graph. The least recently used of
// more than `kStepCacheSize` is dropped, and so are those whose variables are gone.
#pragma once

#include <vector>

#include "plimsoll/engine/step_graph.h"

namespace plimsoll {

inline constexpr int kStepCacheSize = 64;

// Compiles the step unless one of the same structure is cached, runs it with this graph's data, and
// returns its outputs. The structure is all but the contents of constants. A step is compiled for
// the memory budget of the process, and again after set_memory_limit. If it cannot be held to that
// budget, DoesNotFit is thrown before anything runs.
std::vector<StoragePtr> evaluate_step(const StepGraph& graph);

struct StepCacheCounts {
  int64_t compiled = 0;
  int64_t reused = 0;
};

// Since the thread began.
StepCacheCounts step_cache_counts();
// Drops every compiled step of this thread.
void clear_step_cache();

}  // namespace plimsoll
