// The gradients of conv2d and conv3d.
#pragma once

#include "plimsoll/graph/operand.h"
#include "plimsoll/ops/convolution/convolution_options.h"

namespace plimsoll {

// The gradient of a convolution's input, whose spatial sizes are `input_size`.
template <size_t kAxes>
Tensor convolution_input_gradient(const Operand& kernel, const Operand& dy,
                                  const PerAxis<kAxes>& input_size,
                                  const ConvolutionOptionsOver<kAxes>& options);

struct ConvolutionWeightGradients {
  Tensor kernel, bias;  // the bias's is undefined unless asked for
};
template <size_t kAxes>
ConvolutionWeightGradients convolution_kernel_gradient(const Operand& x, const Operand& dy,
                                                       const PerAxis<kAxes>& kernel_size,
                                                       const ConvolutionOptionsOver<kAxes>& options,
                                                       bool bias);

}  // namespace plimsoll
