// Matrix products.
#pragma once

#include "plimsoll/graph/operand.h"

namespace plimsoll {

struct MatmulOptions {
  bool transpose_a = false;  // the last two axes of a
  bool transpose_b = false;
};

// The last two axes are matrices, those before broadcast. Rank 2 at least.
Tensor matmul(const Operand& a, const Operand& b, MatmulOptions options = {});

}  // namespace plimsoll
