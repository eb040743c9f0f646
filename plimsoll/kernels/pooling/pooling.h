// Pooling over windows of (N, H, W, C), in either layout.
#pragma once

#include "plimsoll/kernels/kernel.h"
#include "plimsoll/kernels/pooling/pooling_problem.h"

namespace plimsoll::kernels {

// x -> y, index: the number of the first maximum in its window, row by row. A NaN is a maximum.
// Without `index` the second output is not touched.
KernelPtr make_max_pool(const KernelRequest& request, const PoolingProblem& problem, bool index);
// index, dy -> dx
KernelPtr make_max_pool_gradient(const KernelRequest& request, const PoolingProblem& problem);
// x -> y; positions of the padding do not count.
KernelPtr make_average_pool(const KernelRequest& request, const PoolingProblem& problem);
// dy -> dx
KernelPtr make_average_pool_gradient(const KernelRequest& request, const PoolingProblem& problem);

}  // namespace plimsoll::kernels
