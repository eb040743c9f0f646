// A training step as the planner sees it: tasks that read and make values.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace plimsoll::plan {

// A tensor of the step. One that no task makes exists when the step begins.
struct Value {
  int64_t bytes = 0;
  // Lives outside the arena: weights, inputs, outputs handed to the caller.
  bool external = false;
  // A view of another value (a reshape): it begins at the same byte and needs no more bytes. A task
  // that reads the view keeps that value alive; the task that makes a view, if any, writes nothing.
  int32_t alias_of = -1;
};

// Positions in Task::inputs and Task::outputs.
struct Overwrite {
  int32_t input = 0;
  int32_t output = 0;
};

struct Task {
  std::vector<int32_t> inputs = {};   // value indices
  std::vector<int32_t> outputs = {};  // each value is the output of at most one task
  int64_t scratch_bytes = 0;          // needed while the task runs
  // The output may take the input's place if nothing needs the input's storage afterwards.
  std::vector<Overwrite> may_overwrite = {};
  std::vector<int32_t> after = {};  // tasks that must run before, besides the makers of its inputs
  int32_t stage = 0;                // all tasks of stage k run before any of stage k + 1
  double seconds = 0;               // predicted cost
  // Running it again, in its stage and on the same inputs, makes the same bytes.
  bool may_repeat = true;
};

struct StepProblem {
  std::vector<Value> values = {};
  std::vector<Task> tasks = {};
  std::vector<int32_t> kept = {};  // values that must be intact at the end of the step
  int64_t alignment = 64;
};

// An index of tasks or values as an index of a vector.
inline size_t at(int32_t index) {
  return static_cast<size_t>(index);
}

// Throws InvalidArgument if an index, a size, a view or an overwrite makes no sense, or if
// two tasks make one value. It does not check that a legal order exists; choose_order does.
void check(const StepProblem& problem);

// For each value the one that owns its storage: itself, or the end of its chain of views.
std::vector<int32_t> storage_owners(const StepProblem& problem);

// For each value the task that makes it, or -1.
std::vector<int32_t> makers(const StepProblem& problem);

}  // namespace plimsoll::plan
