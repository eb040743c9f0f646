// Softmax and its relatives along one axis.
#pragma once

#include "plimsoll/kernels/kernel.h"

namespace plimsoll::kernels {

// Inputs of the gradients: the output y of the forward op, then its gradient dy. All may write
// over an input.
enum class SoftmaxKind { softmax, log_softmax, softmax_gradient, log_softmax_gradient };

KernelPtr make_softmax(const KernelRequest& request, SoftmaxKind kind, int axis);

}  // namespace plimsoll::kernels
