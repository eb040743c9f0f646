// Which pixels of an axis an output pixel is made of, and how much of each.
#pragma once

#include "plimsoll/kernels/images/resize.h"
#include "plimsoll/ops/images/interpolation.h"

namespace plimsoll {

kernels::ResizeAxis resize_axis(int64_t inputs, int64_t outputs, Interpolation interpolation,
                                bool antialias);

}  // namespace plimsoll
