// A step as the compiler makes it: instructions, their kernels and order, the place of every byte.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "plimsoll/engine/memory/step_memory.h"
#include "plimsoll/engine/passes/passes.h"
#include "plimsoll/engine/program.h"
#include "plimsoll/plan/step_plan.h"

namespace plimsoll {

class SpillFile;

struct StepOptions {
  // The arena is kept to this where that is possible, at the cost of time; memory.arena_bytes is
  // the size that was reached.
  std::optional<int64_t> arena_budget = {};
  bool smallest = false;          // the arena is made as small as can be found quickly, instead
  bool quick = false;             // the first way to keep to arena_budget is enough; without that,
                                  // the arena may be a little larger than it must be
  bool keep_signs = false;        // of a relu only the signs, where nothing else is asked for
  bool early_updates = false;     // weights do not wait for the gates: a step that fails cannot be
                                  // taken back
  bool as_recorded = false;       // no operation is joined with others or replaced, so that each
                                  // can be watched; slower
  bool recompute = true;          // values may be computed again
  std::string spill_folder = {};  // or else go to a file there; empty: they may not
};

struct StepCode {
  Program program;
  std::vector<PassTime> pass_times;
  std::vector<std::shared_ptr<const Kernel>> kernels;  // one per instruction, null for a view
  plan::StepProblem problem;
  plan::StepPlan plan;
  // An instruction that reads a variable, and one that writes it before the gates.
  std::vector<std::pair<int, int>> early_writes;
  std::vector<int32_t> owners;            // of each value: itself, or what it is a view of
  std::shared_ptr<SpillFile> spill_file;  // null where nothing is spilled
  StepMemory memory;
};

}  // namespace plimsoll
