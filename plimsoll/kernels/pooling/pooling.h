// Pooling over windows of (N, H, W, C), in either layout.
#pragma once

#include "plimsoll/kernels/kernel.h"
#include "plimsoll/kernels/window_axis.h"

namespace plimsoll::kernels {

struct PoolingProblem {
  WindowAxis rows, columns;
  // Maximum only: negative results become 0, and the index of what is not positive is
  // kNoPosition, so that no gradient flows there.
  bool relu = false;
};

// The largest window whose positions an index of one byte can tell apart; one less with `relu`.
inline constexpr int64_t kMostIndexedPositions = 256;
inline constexpr uint8_t kNoPosition = 255;

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
