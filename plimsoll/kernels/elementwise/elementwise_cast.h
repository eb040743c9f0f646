// Conversion of every element to another dtype.
#pragma once

#include "plimsoll/kernels/kernel.h"

namespace plimsoll::kernels {

// Floats are truncated towards zero and kept within the integer's range, NaN becoming 0; integers
// wrap; anything but 0 is true. Input and output have the same layout, whichever.
KernelPtr make_cast(const KernelRequest& request);

}  // namespace plimsoll::kernels
