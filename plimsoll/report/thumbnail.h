// Small pictures that are part of a page.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "plimsoll/formats/images/image.h"

namespace plimsoll {

// A data: address of a JPEG file whose sides are at most 72 pixels.
std::string thumbnail_of(const Image& image);

// The numbers of an image, (height, width, channels) with 1 or 3 channels. If they are neither
// within 0 and 255 nor within 0 and 1, the least becomes black and the largest white.
std::string thumbnail_of(std::span<const float> numbers, int64_t height, int64_t width,
                         int64_t channels);

// "Zm9v" for "foo".
std::string base64(std::string_view bytes);

}  // namespace plimsoll
