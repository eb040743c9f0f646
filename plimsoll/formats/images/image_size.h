// The checks that come before every decoder.
#pragma once

#include <fmt/format.h>

#include <cstddef>
#include <cstdint>
#include <string>

#include "plimsoll/base/error.h"
#include "plimsoll/formats/images/image_rows.h"

namespace plimsoll {

// CorruptFile where this size, which an image claims to have, is over the limits.
inline void check_image_size(int64_t height, int64_t width, const std::string& name,
                             const ImageLimits& limits) {
  if (height < 1 || width < 1)
    throw CorruptFile(fmt::format("{}: the image has no pixels ({} x {})", name, width, height));
  if (width > limits.pixels / height)
    throw CorruptFile(
        fmt::format("{}: the image claims to have {} x {} pixels, at most {} are decoded", name,
                    width, height, limits.pixels));
}

// As above, and where so few bytes cannot hold so many pixels. Not for WebP, which needs no bits at
// all for an image of one colour.
inline void check_image_size(int64_t height, int64_t width, size_t file_bytes,
                             const std::string& name, const ImageLimits& limits) {
  constexpr int64_t kMaxPixelsInAByte = 10'000;
  const int64_t most = kMaxPixelsInAByte * (static_cast<int64_t>(file_bytes) + 1) - 1;
  if (height > 0 && width > most / height)  // their product may be too large for a number
    throw CorruptFile(
        fmt::format("{}: the image claims to have {} x {} pixels in {} bytes, which is impossible",
                    name, width, height, file_bytes));
  check_image_size(height, width, name, limits);
}

}  // namespace plimsoll
