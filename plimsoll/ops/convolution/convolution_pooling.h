// conv2d, relu and max_pool2d as one op, for the pass that fuses them: the intermediate results are
// never in memory as a whole. Gradients are taken before the fusion; these are the fused ones.
#pragma once

#include "plimsoll/graph/op.h"
#include "plimsoll/ops/convolution/convolution_fusion.h"
#include "plimsoll/ops/convolution/pooling.h"

namespace plimsoll {

struct ConvolutionPooling {
  ConvolutionOptions convolution;
  PoolingOptions pooling;
  bool bias = false;
};

// True if the ops below can take the place of these: the windows must not overlap and must leave
// the index a value for "none".
bool can_fuse(const Conv2dAttributes& convolution, const PoolingOptions& pooling);

// x, kernel[, bias] -> y, index. Unlike max_pool2d's, the index is 255 where y is not positive, so
// that a gradient through it is relu's as well.
OpPtr conv2d_relu_max_pool_op(const ConvolutionPooling& attributes);
// kernel, index, dy -> the gradient of x, whose height and width are `input_size`.
OpPtr conv2d_relu_max_pool_input_gradient_op(const ConvolutionPooling& attributes,
                                             std::array<int64_t, 2> input_size);
// x, index, dy -> the gradients of the kernel and of the bias (shape (0,) if there is no bias).
OpPtr conv2d_relu_max_pool_kernel_gradient_op(const ConvolutionPooling& attributes,
                                              std::array<int64_t, 2> kernel_size);

}  // namespace plimsoll
