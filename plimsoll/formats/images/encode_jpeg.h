// Pixels to a JPEG file, by libjpeg-turbo.
#pragma once

#include <string>

#include "plimsoll/formats/images/image.h"

namespace plimsoll {

// The bytes of a baseline JPEG file with half the colour resolution, as Pillow and TensorFlow write
// by default. InvalidArgument unless the image has 1 or 3 channels and the quality is from 1 to
// 100.
std::string encode_jpeg(const Image& image, int quality);

}  // namespace plimsoll
