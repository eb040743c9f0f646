// Copies the first input, whatever its type, to the first output.
#pragma once

#include "plimsoll/kernels/kernel.h"

namespace plimsoll::kernels {

KernelPtr make_copy(const KernelRequest& request);

}  // namespace plimsoll::kernels
