// Adds one number per channel, in whatever layout the images are.
#pragma once

#include "plimsoll/graph/operand.h"

namespace plimsoll {

// x (…, C) + bias (C)
Tensor bias_add(const Operand& x, const Operand& bias);

}  // namespace plimsoll
