// Compiled steps of this thread, found by the structure of the graph. The least recently used of
// more than `kStepCacheSize` is dropped.
#pragma once

#include <vector>

#include "plimsoll/engine/step_graph.h"

namespace plimsoll {

inline constexpr int kStepCacheSize = 64;

// Compiles the step unless one of the same structure is there, runs it with this graph's data, and
// returns its outputs. Structure is all but the contents of constants.
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
