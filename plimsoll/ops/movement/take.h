// Elements along an axis by index.
#pragma once

#include <vector>

#include "plimsoll/graph/operand.h"

namespace plimsoll {

// Replaces the axis by those of `indices` (int32 or int64). A negative index counts from the end;
// if one is outside, the step throws an error.
Tensor take(const Operand& x, const Operand& indices, int axis);
// The same with indices that are known now; one that is outside is InvalidArgument.
Tensor take(const Operand& x, const std::vector<int64_t>& indices, int axis);

}  // namespace plimsoll
