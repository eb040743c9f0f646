// Convolution, channels last: x (N, H, W, C), kernel (kh, kw, C / groups, filters).
#pragma once

#include "plimsoll/graph/operand.h"
#include "plimsoll/ops/convolution/convolution_options.h"

namespace plimsoll {

Tensor conv2d(const Operand& x, const Operand& kernel, const ConvolutionOptions& options = {});
// With a bias of shape (filters,) added.
Tensor conv2d(const Operand& x, const Operand& kernel, const Operand& bias,
              const ConvolutionOptions& options = {});

// The same of volumes: x (N, D, H, W, C), kernel (kd, kh, kw, C / groups, filters).
Tensor conv3d(const Operand& x, const Operand& kernel,
              const VolumeConvolutionOptions& options = {});
Tensor conv3d(const Operand& x, const Operand& kernel, const Operand& bias,
              const VolumeConvolutionOptions& options = {});

}  // namespace plimsoll
