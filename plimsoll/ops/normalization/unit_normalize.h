#pragma once

#include <vector>

#include "plimsoll/graph/operand.h"

namespace plimsoll {

// x divided by its Euclidean norm over the axes, which counts as at least `epsilon`: rows of zeros
// stay zeros and have a gradient of 0 through the norm.
Tensor unit_normalize(const Operand& x, const std::vector<int>& axes, double epsilon);

}  // namespace plimsoll
