// Questions about all elements of many float32 tensors at once: the gate of a step and the norm of
// its gradients.
#pragma once

#include "plimsoll/kernels/kernel.h"

namespace plimsoll::kernels {

KernelPtr make_all_finite(const KernelRequest& request);
KernelPtr make_sum_of_squares(const KernelRequest& request);

}  // namespace plimsoll::kernels
