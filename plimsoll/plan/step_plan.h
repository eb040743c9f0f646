// A step's plan: the order of its tasks and the place of every byte they touch.
#pragma once

#include <cstdint>
#include <vector>

#include "plimsoll/plan/offsets/offsets.h"
#include "plimsoll/plan/step.h"

namespace plimsoll::plan {

struct StepPlan {
  std::vector<int32_t> order;            // task indices in the order they run
  std::vector<int64_t> value_offsets;    // per value; -1 for external ones and their views
  std::vector<int64_t> scratch_offsets;  // per task; -1 where it needs none
  std::vector<std::vector<int32_t>>
      overwrote;  // per task, the rows of may_overwrite that are taken
  int64_t arena_bytes = 0;
  int64_t max_live_bytes = 0;  // no arena can be smaller in this order
  int32_t peak_task = -1;      // the first task that runs while that many bytes are live
};

// Throws InvalidArgument if the problem makes no sense or no order is legal.
StepPlan plan_step(const StepProblem& problem, const OffsetOptions& options = {});
// The same for an order that is given and legal.
StepPlan plan_in_order(const StepProblem& problem, std::vector<int32_t> order,
                       const OffsetOptions& options = {});

}  // namespace plimsoll::plan
