// Resizing images (N, H, W, C) as TensorFlow does, with pixels that have their centres in the
// middle.
#pragma once

#include <array>

#include "plimsoll/graph/operand.h"
#include "plimsoll/ops/images/interpolation.h"

namespace plimsoll {

// With `antialias`, shrinking takes all pixels that an output covers into account.
Tensor resize(const Operand& x, std::array<int64_t, 2> size, Interpolation interpolation,
              bool antialias = false);

}  // namespace plimsoll
