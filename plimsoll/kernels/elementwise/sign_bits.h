// One bit per element instead of the element, where only its sign matters.
#pragma once

#include "plimsoll/kernels/kernel.h"

namespace plimsoll::kernels {

// Bit i of the output (of byte i / 8, the lowest first) is set if element i of the input is above
// 0.
KernelPtr make_sign_bits(const KernelRequest& request);

// Elements of input 1 where the bit of input 0 is set, 0 elsewhere.
KernelPtr make_select_by_bits(const KernelRequest& request);

}  // namespace plimsoll::kernels
