// JPEG and PNG files to pixels. The decoders see untrusted bytes: sizes are
// checked from the header before anything is allocated, and a bad file is an
// error that names it, never more.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace plimsoll {

enum class ColorMode { grayscale = 1, rgb = 3, rgba = 4 };

constexpr int64_t channels_of(ColorMode mode) {
  return static_cast<int64_t>(mode);
}

// Reads Keras's names: "grayscale", "rgb", "rgba". InvalidArgument for anything
// else.
ColorMode color_mode(const std::string& name);

struct ImageLimits {
  int64_t pixels = 100'000'000;
  int64_t file_bytes = int64_t{256} << 20;
};

// Rows from the top, pixels from the left, channels together.
struct Image {
  int64_t height = 0, width = 0, channels = 0;
  std::vector<uint8_t> pixels;
};

// The format is known by its first bytes, whatever the name says. CorruptFile,
// beginning with `name`, where it is of another, damaged or cut off, or larger
// than the limits.
Image decode_image(std::span<const std::byte> bytes, const std::string& name, ColorMode mode,
                   const ImageLimits& limits = {});
// The same from a file; IoError where it cannot be read.
Image read_image(const std::string& path, ColorMode mode, const ImageLimits& limits = {});

}  // namespace plimsoll
