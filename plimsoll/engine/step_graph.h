// One step as it was recorded: what goes in, what comes out, and what is written at its end.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "plimsoll/graph/tensor.h"
#include "plimsoll/graph/variable.h"

namespace plimsoll {

class Context;

struct Commit {
  std::shared_ptr<VariableState> variable;
  Value value;
};

struct StepGraph {
  std::vector<Value> inputs;   // placeholders, bound by position when the step runs
  std::vector<Value> outputs;  // handed to the caller, row-major
  std::vector<Commit> commits;
  std::vector<Value> gates;  // bool scalars: the commits happen only if all of them hold
};

// Throws Error if the variable that the leaf reads was written since.
void refuse_left_behind(const Node& leaf);

// The assignments that were recorded in a context since its last evaluation. They are taken:
// nothing stays pending.
StepGraph take_assignments(Context& context);

// The step that computes `outputs` from `inputs` and makes every assignment that was recorded since
// the last evaluation. The assignments are taken: nothing stays pending.
StepGraph take_step(std::span<const Tensor> inputs, std::span<const Tensor> outputs);

}  // namespace plimsoll
