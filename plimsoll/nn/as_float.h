// The float32 form of a tensor, with which layers, losses and metrics compute.
#pragma once

#include "plimsoll/graph/tensor.h"

namespace plimsoll {

// Integers and booleans (images, labels) become float32.
Tensor as_float(const Tensor& x);

}  // namespace plimsoll
