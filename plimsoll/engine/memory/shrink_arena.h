// How a step takes less memory: the planner finds what is computed again or goes to a file, and
// that becomes instructions.
#pragma once

#include "plimsoll/engine/step_code.h"

namespace plimsoll {

// Changes the code, which is planned, so that its arena is as `options` want it. Where no way is
// found it stays as it is.
StepSaving shrink_arena(StepCode& code, const StepOptions& options);

}  // namespace plimsoll
