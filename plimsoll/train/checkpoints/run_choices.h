// Choices of the planner and of the machine that the bits of a result depend on. A run goes on with
// the choices that it began with; where it cannot, it says that bits may differ.
#pragma once

#include "plimsoll/engine/memory/saving.h"
#include "plimsoll/formats/checkpoint/state.h"
#include "plimsoll/train/memory/saving_options.h"
#include "plimsoll/train/model.h"

namespace plimsoll {

void save_choices(StateWriter& to, const Model& model, const Saving& saving);

// `checkpoint` is a whole one. Batches are cut into parts as they were.
void use_choices(const StateReader& checkpoint, SavingOptions& saving);
// Reports what differs although use_choices was called: threads, the instruction set, names of
// layers, the rest.
void compare_choices(const StateReader& checkpoint, const Model& model, const Saving& saving);

}  // namespace plimsoll
