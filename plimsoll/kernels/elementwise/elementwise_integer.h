// Elementwise functions on int32, int64, uint8 and boolean: exact, wrapping on overflow, one plain
// loop. They are never hot, so they are not programs and are not fused.
#pragma once

#include "plimsoll/kernels/elementwise/elementwise_program.h"

namespace plimsoll::kernels {

// negative, abs, sign, square, add, subtract, multiply, maximum, minimum, the comparisons and
// select. Operands (but select's condition) have one dtype; inputs broadcast; all is row-major.
bool has_integer_function(Function function);
KernelPtr make_integer_elementwise(Function function, const KernelRequest& request);

}  // namespace plimsoll::kernels
