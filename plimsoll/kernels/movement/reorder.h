#pragma once

#include "plimsoll/kernels/kernel.h"

namespace plimsoll::kernels {

// Output 0 is input 0 in the layout that the request gives the output; any dtype.
KernelPtr make_reorder(const KernelRequest& request);

}  // namespace plimsoll::kernels
