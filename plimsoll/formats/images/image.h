// Image files to pixels: JPEG, PNG, WebP, BMP and the first picture of a GIF. The decoders see
// untrusted bytes: sizes are checked from the header before anything is allocated, and a bad file
// is an error that names it, never more.
#pragma once

#include <array>
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

// Reads Keras's names: "grayscale", "rgb", "rgba". InvalidArgument for anything else.
ColorMode color_mode(const std::string& name);

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
};

// Takes an image while it is decoded. Should the file turn out to be damaged, some rows may have
// come.
class ImageRows {
 public:
  virtual ~ImageRows() = default;
  // Called once, before any row.
  virtual void begin(int64_t height, int64_t width, int64_t channels) = 0;
  // The next `count` rows from the top down, pixels from the left, channels together.
  virtual void add(const uint8_t* rows, int64_t count) = 0;
};

// The format is known by its first bytes, whatever the name says. FlawedRecord, beginning with
// `name`, where it is of another, damaged or cut off, or larger than the limits.
void decode_image(std::span<const std::byte> bytes, const std::string& name,
                  const DecodeOptions& options, ImageRows& into);
// The same from a file; IoError where it cannot be read.
void read_image(const std::string& path, const DecodeOptions& options, ImageRows& into);

// All rows at once.
struct Image {
  int64_t height = 0, width = 0, channels = 0;
  std::vector<uint8_t> pixels;
};

Image decode_image(std::span<const std::byte> bytes, const std::string& name, ColorMode mode,
                   const ImageLimits& limits = {});
Image read_image(const std::string& path, ColorMode mode, const ImageLimits& limits = {});

}  // namespace plimsoll
