// Slices with steps, as Python's x[begin::step].
#pragma once

#include <vector>

#include "plimsoll/graph/operand.h"

namespace plimsoll {

// Elements begin, begin + step, … of each axis, `size` of them, -1 meaning as many as there are. A
// negative begin counts from the end; a negative step walks backwards; no step is 0.
Tensor strided_slice(const Operand& x, std::vector<int64_t> begin, std::vector<int64_t> size,
                     std::vector<int64_t> step);

// The same elements in reverse order along the axes.
Tensor flip(const Operand& x, const std::vector<int>& axes);

}  // namespace plimsoll
