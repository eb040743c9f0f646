// The training loop.
#pragma once

#include "plimsoll/train/model.h"

namespace plimsoll {

class ModelSteps;

// Plans everything, then trains. Throws before the first step where data, model and options do not
// fit together.
History fit(Model& model, ModelSteps& steps, const Dataset& data, const FitOptions& options);

}  // namespace plimsoll
