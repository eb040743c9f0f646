// An encoded image inside of a record; the field is float32 (height, width, channels), 0 to 255,
// resized as image_folder does.
#pragma once

#include <array>
#include <cstdint>

#include "plimsoll/formats/images/image_rows.h"

namespace plimsoll {

struct EncodedImage {
  std::array<int64_t, 2> image_size = {256, 256};
  ColorMode color_mode = ColorMode::rgb;
  ImageLimits limits = {};
};

}  // namespace plimsoll
