// A step in which some values are dropped and made again before their next use.
#pragma once

#include <cstdint>
#include <vector>

#include "plimsoll/plan/step.h"

namespace plimsoll::plan {

struct RecomputedStep {
  // The tasks and values of the step that was given come first and keep their numbers; copies
  // follow. Tasks read the copy that is there when they run.
  StepProblem problem;
  std::vector<int32_t> order;
  std::vector<int32_t> task_origins;   // what each task is, or is a copy of
  std::vector<int32_t> value_origins;  // the same of values
  double extra_seconds = 0;            // predicted, of the copies
};

}  // namespace plimsoll::plan
