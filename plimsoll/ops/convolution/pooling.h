// Pooling over (N, H, W, C).
#pragma once

#include <array>

#include "plimsoll/graph/operand.h"
#include "plimsoll/ops/convolution/convolution_options.h"

namespace plimsoll {

struct PoolingOptions {
  std::array<int64_t, 2> pool_size = {2, 2};
  std::array<int64_t, 2> strides = {0, 0};  // 0: the pool size
  Padding padding = Padding::valid;
};

// The first maximum of a window takes the gradient; a NaN in a window is its maximum.
Tensor max_pool2d(const Operand& x, const PoolingOptions& options = {});
// Padding does not count in the divisor, as TensorFlow.
Tensor average_pool2d(const Operand& x, const PoolingOptions& options = {});

}  // namespace plimsoll
