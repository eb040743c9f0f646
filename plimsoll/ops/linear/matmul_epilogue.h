// A function for the pass that fuses the ops after a product into it.
#pragma once

#include "plimsoll/graph/op.h"

namespace plimsoll {

// The matmul `op` that also adds its third input, a bias of shape (n,), and then takes the positive
// part, in addition to what it does already; null for any other op.
OpPtr with_epilogue(const Op& op, bool bias, bool relu);

}  // namespace plimsoll
