// What the records of a model's data are like, known from the model alone.
#pragma once

#include <map>
#include <string>

#include "plimsoll/train/model.h"

namespace plimsoll {

// Shapes of inputs, without the batch, that the model leaves open, by the names of the inputs; an
// empty name is the only one.
using InputShapes = std::map<std::string, Shape>;

// The inputs, then a target for each output that has a loss: class numbers for a sparse loss, else
// what the output is. The model is compiled. InvalidArgument where a shape is missing or does not
// fit.
Specs record_specs(const Model& model, const InputShapes& shapes);

}  // namespace plimsoll
