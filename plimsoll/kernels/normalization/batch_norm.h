// Normalisation of each channel over all positions, in either layout.
#pragma once

#include "plimsoll/kernels/kernel.h"

namespace plimsoll::kernels {

// x, gamma, beta -> y, mean, variance
KernelPtr make_batch_norm(const KernelRequest& request, double epsilon);
// The same in two: x -> mean, variance, and x, gamma, beta, mean, variance -> y, or its positive
// part.
KernelPtr make_batch_moments(const KernelRequest& request);
KernelPtr make_batch_apply(const KernelRequest& request, double epsilon, bool relu);
// x, gamma, mean, variance, dy -> dx, dgamma, dbeta
KernelPtr make_batch_norm_gradient(const KernelRequest& request, double epsilon);

// x, scale, shift -> x * scale + shift
KernelPtr make_scale_shift(const KernelRequest& request);
// x, scale, dy -> dx, dscale, dshift; outputs of shape (0,) are not computed.
KernelPtr make_scale_shift_gradient(const KernelRequest& request);

}  // namespace plimsoll::kernels
