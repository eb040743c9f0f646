// Images moved, turned and stretched, each by its own transform.
#pragma once

#include <array>
#include <string_view>

#include "plimsoll/graph/operand.h"
#include "plimsoll/kernels/images/affine_transform.h"
#include "plimsoll/ops/images/resize.h"

namespace plimsoll {

using kernels::FillMode;

// By Keras's name; InvalidArgument lists the known names.
FillMode fill_mode_of(std::string_view name);

struct AffineOptions {
  std::array<int64_t, 2> size = {0, 0};                   // of the output; 0: as the input
  Interpolation interpolation = Interpolation::bilinear;  // or nearest
  FillMode fill_mode = FillMode::constant;
  double fill_value = 0;
};

// images (N, H, W, C), transforms (N, 8) or (1, 8): output (row, column) is sampled at the column
// (t0 * column + t1 * row + t2) / k and the row (t3 * column + t4 * row + t5) / k, where k = t6 *
// column + t7 * row + 1. No gradient flows to the transforms.
Tensor affine_transform(const Operand& images, const Operand& transforms,
                        const AffineOptions& options = {});

}  // namespace plimsoll
