// Convolution, channels last: x (N, H, W, C), kernel (kh, kw, C / groups, filters).
#pragma once

#include <array>

#include "plimsoll/graph/operand.h"

namespace plimsoll {

enum class Padding { valid, same };  // `same` puts the odd row or column at the end, as TensorFlow

struct ConvolutionOptions {
  std::array<int64_t, 2> strides = {1, 1};
  Padding padding = Padding::valid;
  std::array<int64_t, 2> dilation_rate = {1, 1};
  int64_t groups = 1;
};

Tensor conv2d(const Operand& x, const Operand& kernel, const ConvolutionOptions& options = {});
// With a bias of shape (filters,) added.
Tensor conv2d(const Operand& x, const Operand& kernel, const Operand& bias,
              const ConvolutionOptions& options = {});

}  // namespace plimsoll
