// Spill: a step fits into fewer bytes where values are written to a file after one use and read
// back before the next. It usually costs more time than computing them again, but almost any step
// can be made to fit.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "plimsoll/plan/step.h"

namespace plimsoll::plan {

struct SpilledStep {
  // The tasks and values of the step that was given come first and keep their numbers. Then come
  // values that were read back, views of them, and the tasks that make them or write them away.
  StepProblem problem;
  std::vector<int32_t> order;
  std::vector<int32_t> task_origins;   // what each task is, or is a copy of; -1 for a transfer
  std::vector<int32_t> value_origins;  // the same of values

  struct Transfer {
    int32_t task = 0;  // reads or makes one value
    bool is_store = false;
    int64_t offset = 0;  // in the file
  };
  std::vector<Transfer> transfers;
  int64_t file_bytes = 0;
  double extra_seconds = 0;
};

// How fast a file can be written and read.
struct SpillSpeed {
  double write_bytes_per_second = 0.5e9, read_bytes_per_second = 1e9;
};

// At most about `budget_bytes` are live at once (an overwrite that the order allowed may be lost);
// `order` must be legal. None if no way was found. Values are read back in stage 0 alone, so
// that what fails, fails before anything is committed.
std::optional<SpilledStep> spill_within(const StepProblem& problem, std::span<const int32_t> order,
                                        int64_t budget_bytes, const SpillSpeed& speed = {});

}  // namespace plimsoll::plan
