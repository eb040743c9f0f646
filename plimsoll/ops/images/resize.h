// Resizing images (N, H, W, C) as TensorFlow does with half-pixel centres.
#pragma once

#include <array>

#include "plimsoll/graph/operand.h"
#include "plimsoll/ops/images/interpolation.h"

namespace plimsoll {

// With `antialias`, a smaller output averages all the pixels that each output pixel covers.
Tensor resize(const Operand& x, std::array<int64_t, 2> size, Interpolation interpolation,
              bool antialias = false);

}  // namespace plimsoll
