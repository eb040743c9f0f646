// Resizing images (N, H, W, C) as TensorFlow does, with pixels that have their centres in the
// middle.
#pragma once

#include <array>
#include <string>
#include <string_view>

#include "plimsoll/graph/operand.h"

namespace plimsoll {

enum class Interpolation { nearest, bilinear, bicubic, lanczos3, lanczos5 };

// By Keras's name; InvalidArgument lists the known.
Interpolation interpolation_of(std::string_view name);

// With `antialias`, shrinking takes all pixels that an output covers into account.
Tensor resize(const Operand& x, std::array<int64_t, 2> size, Interpolation interpolation,
              bool antialias = false);

}  // namespace plimsoll
