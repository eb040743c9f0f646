#pragma once

#include "plimsoll/kernels/kernel.h"

namespace plimsoll::kernels {

// x, bias -> x + bias, one number per channel; x and y may be the same memory.
KernelPtr make_bias_add(const KernelRequest& request);

}  // namespace plimsoll::kernels
