// Compiles a step of a loop that is written by hand for the memory that this process may take.
#pragma once

#include <cstdint>
#include <memory>

#include "plimsoll/base/memory_budget.h"
#include "plimsoll/engine/compiled_step.h"

namespace plimsoll {

struct HeldStep {
  std::unique_ptr<CompiledStep> step;
  int64_t held_bytes = 0;    // what the process holds without it
  int64_t needed_bytes = 0;  // and with its arena and its outputs
  bool is_within = false;    // its budget
};

// Where the process would be over the budget with the step as it is, values are computed again or
// spilled to a file; where that does not help, it is the smallest that was found.
HeldStep hold_step(const StepGraph& graph, const MemoryBudget& budget);

// Throws DoesNotFit, which names what is needed, the budget, the least memory that is enough, and
// the lines that hold most.
[[noreturn]] void refuse_step(const StepGraph& graph, const HeldStep& found,
                              const MemoryBudget& budget);

}  // namespace plimsoll
