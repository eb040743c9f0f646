// Chooses the order in which the tasks of a step run.
#pragma once

#include <cstdint>
#include <vector>

#include "plimsoll/plan/step.h"

namespace plimsoll::plan {

// For each task those that must run before it, stages aside: the makers of its inputs, of what they
// are views of, and the tasks it names in `after`. Sorted, each once.
std::vector<std::vector<int32_t>> dependencies(const StepProblem& problem);

// The order with the lowest peak of live bytes (overwriting and scratch included) among four: the
// given one made legal, depth-first, post-order, and always the task that leaves the least live.
// The earlier of equals wins. Throws InvalidArgument if no order is legal.
std::vector<int32_t> choose_order(const StepProblem& problem);

}  // namespace plimsoll::plan
