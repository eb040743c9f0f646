#pragma once

#include "plimsoll/graph/operand.h"

namespace plimsoll {

// The sum over all axes but the last, in whatever layout x lies: the gradient of a bias.
Tensor channel_sum(const Operand& x);

}  // namespace plimsoll
