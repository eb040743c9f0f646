// One bit per element instead of a tensor of which only the signs are needed later. The bits are in
// the order of the elements in memory, whatever the layout.
#pragma once

#include "plimsoll/graph/op.h"

namespace plimsoll {

// x float32 -> uint8 of ((elements + 7) / 8,): bit i % 8 of byte i / 8 is set where element i > 0.
OpPtr sign_bits_op();
// (bits, x): x where the bit is set, 0 elsewhere.
OpPtr select_by_bits_op();

}  // namespace plimsoll
