// What a decoder of images is asked for, and who takes the rows that it decodes.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace plimsoll {

enum class ColorMode { grayscale = 1, rgb = 3, rgba = 4 };

constexpr int64_t channels_of(ColorMode mode) {
  return static_cast<int64_t>(mode);
}

struct ImageLimits {
  int64_t pixels = 100'000'000;
  int64_t file_bytes = int64_t{256} << 20;
};

struct DecodeOptions {
  ColorMode mode = ColorMode::rgb;
  ImageLimits limits = {};
  // A height and width: a JPEG is decoded at the smallest of 1/8, 1/4 and 1/2 of its size that is
  // not below them, which is faster. {0, 0}: as it is.
  std::array<int64_t, 2> at_least = {0, 0};
  // A PNG of a palette, or of shades of grey, gives its numbers as they are stored, one per pixel,
  // whatever the mode is; one of colours or of 16 bits is refused. For masks; other formats do not
  // know it.
  bool is_mask = false;
};

// Takes an image while it is decoded. If the file turns out to be damaged, some rows may have come
// before the error.
class ImageRows {
 public:
  virtual ~ImageRows() = default;
  // Called once, before any row.
  virtual void begin(int64_t height, int64_t width, int64_t channels) = 0;
  // The next `count` rows from the top down, pixels from the left, channels together.
  virtual void add(const uint8_t* rows, int64_t count) = 0;
};

}  // namespace plimsoll
