// Vectors of length 1.
#pragma once

#include "plimsoll/graph/tensor.h"

namespace plimsoll {

// x divided by its length along the axis, which counts as 1e-7 at least.
Tensor unit_length(const Tensor& x, int axis);

}  // namespace plimsoll
