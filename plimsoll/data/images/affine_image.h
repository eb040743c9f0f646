// Images turned, moved, sheared, zoomed and mirrored in one pass, as scipy's affine_transform of
// order 1 does, which Keras's ImageDataGenerator calls.
#pragma once

#include <array>
#include <cstdint>
#include <string>

namespace plimsoll {

// The pixels beyond the border of a row abcd.
enum class ImageFill {
  nearest,   // aaaa|abcd|dddd
  constant,  // kkkk|abcd|kkkk
  reflect,   // dcba|abcd|dcba
  wrap,      // abc|abcd|bcd: scipy lets the last pixel and the first be the same
};

// Reads Keras's names: "nearest", "constant", "reflect", "wrap". InvalidArgument for anything else.
ImageFill image_fill(const std::string& name);

// Rows from the top, channels together.
struct ImageShape {
  int64_t height = 0, width = 0, channels = 0;

  int64_t elements() const { return height * width * channels; }
};

// Output pixel (y, x) is what the input has at row y_of[0] * y + y_of[1] * x + y_of[2] and column
// x_of[0] * y + x_of[1] * x + x_of[2].
struct AffineMap {
  std::array<double, 3> y_of = {1, 0, 0}, x_of = {0, 1, 0};
};

// `from` and `into` must not overlap. `constant` is the value of ImageFill::constant.
void sample_affine(const float* from, const ImageShape& shape, const AffineMap& map, ImageFill fill,
                   float constant, float* into);

}  // namespace plimsoll
