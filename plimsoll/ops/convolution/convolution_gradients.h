// The gradients of conv2d, and what passes make of it.
#pragma once

#include "plimsoll/graph/operand.h"
#include "plimsoll/ops/convolution/convolution_options.h"

namespace plimsoll {

// The gradient of conv2d's input, whose height and width are `input_size`.
Tensor conv2d_input_gradient(const Operand& kernel, const Operand& dy,
                             std::array<int64_t, 2> input_size, const ConvolutionOptions& options);

struct Conv2dWeightGradients {
  Tensor kernel, bias;  // the bias's is undefined unless asked for
};
Conv2dWeightGradients conv2d_kernel_gradient(const Operand& x, const Operand& dy,
                                             std::array<int64_t, 2> kernel_size,
                                             const ConvolutionOptions& options, bool bias);

}  // namespace plimsoll
