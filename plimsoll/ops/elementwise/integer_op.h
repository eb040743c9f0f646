// Elementwise ops on integers: exact, never fused, without gradient.
#pragma once

#include "plimsoll/graph/tensor.h"
#include "plimsoll/kernels/elementwise/elementwise_program.h"

namespace plimsoll {

// Records "integer_add", "integer_less", … on operands of one integer dtype (select's condition is
// boolean, and its other operands may be too).
Tensor integer_op(kernels::Function function, const Tensors& inputs, Place where);

bool is_comparison(kernels::Function function);

}  // namespace plimsoll
