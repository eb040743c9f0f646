// The checks that stand before every decoder.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "plimsoll/base/error.h"
#include "plimsoll/formats/images/image_rows.h"

namespace plimsoll {

// CorruptFile where an image that says to be of this size is not to be decoded.
inline void check_image_size(int64_t height, int64_t width, const std::string& name,
                             const ImageLimits& limits) {
  if (height < 1 || width < 1)
    throw CorruptFile(name + ": the image has no pixels (" + std::to_string(width) + " x " +
                      std::to_string(height) + ")");
  if (width > limits.pixels / height)
    throw CorruptFile(name + ": the image says to have " + std::to_string(width) + " x " +
                      std::to_string(height) + " pixels, at most " + std::to_string(limits.pixels) +
                      " are decoded");
}

// As above, and where so few bytes cannot hold so many pixels. Not for WebP, which needs no bits at
// all for an image of one colour.
inline void check_image_size(int64_t height, int64_t width, size_t file_bytes,
                             const std::string& name, const ImageLimits& limits) {
  constexpr int64_t kMaxPixelsInAByte = 10'000;
  const int64_t most = kMaxPixelsInAByte * (static_cast<int64_t>(file_bytes) + 1) - 1;
  if (height > 0 && width > most / height)  // their product may be too large for a number
    throw CorruptFile(name + ": the image says to have " + std::to_string(width) + " x " +
                      std::to_string(height) + " pixels in " + std::to_string(file_bytes) +
                      " bytes, which is impossible");
  check_image_size(height, width, name, limits);
}

}  // namespace plimsoll
