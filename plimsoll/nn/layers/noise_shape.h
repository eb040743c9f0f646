// The option noise_shape of layers that drop elements: along an axis where it has 1, all elements
// share one decision; where it has -1, each has its own, as without the option.
#pragma once

#include "plimsoll/nn/keras/fields.h"
#include "plimsoll/tensor/shape.h"

namespace plimsoll {

// The shape of the decisions for an input.
Shape noise_shape_for(const Shape& noise_shape, const Shape& input);

bool noise_shape_fits(const Shape& noise_shape, const Shape& input);

// Null if there is none.
void describe_noise_shape(Fields& fields, Shape& noise_shape);

}  // namespace plimsoll
