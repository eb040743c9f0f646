// Turns an order of tasks into buffers with lives; a moment is a position in that order.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "plimsoll/plan/offsets/offsets.h"
#include "plimsoll/plan/step.h"

namespace plimsoll::plan {

struct Lifetimes {
  OffsetProblem offsets;                 // values that share storage are one buffer
  std::vector<int32_t> value_buffers;    // per value; -1 outside the arena
  std::vector<int32_t> scratch_buffers;  // per task; -1 where it needs none
  std::vector<std::vector<int32_t>>
      overwrote;  // per task, the rows of may_overwrite that are taken
};

// An overwrite is taken if the input's storage is in the arena, is large enough, is not needed
// after this task (nor kept), and occurs once among this task's inputs. `order` must be legal.
Lifetimes find_lifetimes(const StepProblem& problem, std::span<const int32_t> order);

}  // namespace plimsoll::plan
