// The cross entropy of softmax(logits), one loss per row, and its gradient. Softmax itself is never
// kept: the gradient computes it again from the logits, over which it may write.
#pragma once

#include "plimsoll/kernels/kernel.h"

namespace plimsoll::kernels {

// Inputs: logits, labels (int32 or int64); of the gradient also that of the losses. A label outside
// the classes throws InvalidArgument before anything is written.
KernelPtr make_sparse_cross_entropy(const KernelRequest& request);
KernelPtr make_sparse_cross_entropy_gradient(const KernelRequest& request);

// Inputs: logits, targets of the same shape; of the gradient also that of the losses.
KernelPtr make_cross_entropy(const KernelRequest& request);
KernelPtr make_cross_entropy_gradient(const KernelRequest& request);

}  // namespace plimsoll::kernels
