// Reductions over all elements of many float32 tensors at once: whether all are finite, which a
// step needs in order to commit, and the norm, by which gradients are clipped.
#pragma once

#include "plimsoll/kernels/kernel.h"

namespace plimsoll::kernels {

KernelPtr make_all_finite(const KernelRequest& request);
KernelPtr make_norm(const KernelRequest& request);

}  // namespace plimsoll::kernels
