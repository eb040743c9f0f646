// The values of variables in a checkpoint, by their place in a list.
#pragma once

#include "plimsoll/formats/checkpoint/state.h"
#include "plimsoll/graph/variable.h"
#include "plimsoll/train/model.h"

namespace plimsoll {

void save_variables(StateWriter& to, const Variables& variables);
// CorruptFile where the number of variables or a spec is another. Nothing else is written in that
// case.
void load_variables(const StateReader& from, const Variables& variables);

// All that a training step of the model reads and writes but its metrics: weights, the state of
// the optimizer and of stateful layers, and the clock that random numbers depend on.
Variables trained_state(const Model& model, const Optimizer& optimizer);

// The same without the optimizer's: what the loss and its gradients are computed from.
Variables computed_from(const Model& model);

// The clock, with what it has counted in this step, which is in no variable: draws of a callback,
// or of a loop by hand between two updates. A checkpoint without it changes nothing.
void save_clock(StateWriter& to);
void load_clock(const StateReader& from);

}  // namespace plimsoll
