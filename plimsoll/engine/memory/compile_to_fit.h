// Compiles a step for the memory that this process may take.
#pragma once

#include <cstdint>
#include <memory>

#include "plimsoll/base/memory_budget.h"
#include "plimsoll/engine/compiled_step.h"

namespace plimsoll {

struct FittedStep {
  std::unique_ptr<CompiledStep> step;
  int64_t held_bytes = 0;    // what the process holds without it
  int64_t needed_bytes = 0;  // and with its arena and its outputs
  bool fits = false;
};

// Where the process would be over the budget with the step as it is, values are computed again or
// spilled to a file; where that does not help, the step is as it would be without a budget.
FittedStep compile_to_fit(const StepGraph& graph, const MemoryBudget& budget);

// Throws DoesNotFit, which names what is needed, the budget, the least that would do, and the lines
// that hold most.
[[noreturn]] void refuse_step(const StepGraph& graph, const FittedStep& found,
                              const MemoryBudget& budget);

}  // namespace plimsoll
