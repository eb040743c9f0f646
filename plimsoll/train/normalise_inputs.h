// normalise_inputs(): a model that subtracts the mean of its data and divides by the deviation.
#pragma once

#include "plimsoll/train/model.h"

namespace plimsoll {

// The same layers after a Normalization for each input that is multiplied by weights, with the mean
// and the variance of the records, over all axes but the last. It shares its weights with `model`
// and is compiled as that one is. Some ten thousand records are read, evenly spread over all.
// InvalidArgument if no input is multiplied by weights, where the model has no input shape, and
// for data that can only be read once.
Model normalise_inputs(const Model& model, const Dataset& data);

}  // namespace plimsoll
