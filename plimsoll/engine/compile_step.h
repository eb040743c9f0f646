// The compiler of steps: from a recorded graph and options for saving memory it makes the code that
// a CompiledStep runs.
#pragma once

#include "plimsoll/engine/step_code.h"

namespace plimsoll {

// The same graph and options give the same code. Throws Error where the graph reads a variable that
// was written since it was recorded.
StepCode compile_step(const StepGraph& graph, const StepOptions& options = {});

}  // namespace plimsoll
