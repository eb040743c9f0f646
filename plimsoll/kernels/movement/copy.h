#pragma once

#include "plimsoll/kernels/kernel.h"

namespace plimsoll::kernels {

// Output 0 gets the bytes of input 0.
KernelPtr make_copy(const KernelRequest& request);

}  // namespace plimsoll::kernels
