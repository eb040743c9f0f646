// Cutting images to the shape of a size before they are resized to it.
#pragma once

#include <array>

#include "plimsoll/graph/tensor.h"

namespace plimsoll {

// The largest middle part of images (batch, height, width, channels) with the aspect ratio of
// `size`, in whole pixels.
Tensor crop_to_aspect_ratio(const Tensor& images, std::array<int64_t, 2> size);
// The images with `fill_value` around, as far as the aspect ratio needs it.
Tensor pad_to_aspect_ratio(const Tensor& images, std::array<int64_t, 2> size, double fill_value);

}  // namespace plimsoll
