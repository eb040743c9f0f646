// The loop of predict.
#pragma once

#include "plimsoll/train/model.h"

namespace plimsoll {

class ModelSteps;

// The network's outputs for every record, one tensor per output.
Tensors predict(Model& model, ModelSteps& steps, const Dataset& data,
                const PredictOptions& options);

}  // namespace plimsoll
