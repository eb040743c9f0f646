// Matrix products.
#pragma once

#include "plimsoll/graph/operand.h"

namespace plimsoll {

struct MatmulOptions {
  bool transpose_a = false;  // the last two axes of a
  bool transpose_b = false;
};

// The last two axes are matrices; the axes before them broadcast. The rank is at least 2.
Tensor matmul(const Operand& a, const Operand& b, MatmulOptions options = {});

}  // namespace plimsoll
