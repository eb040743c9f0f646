// One random transform of an image, with its numbers drawn: what Keras's
// ImageDataGenerator.apply_transform does with them.
#pragma once

#include <cstdint>
#include <optional>

#include "plimsoll/data/images/affine_image.h"

namespace plimsoll {

struct ImageTransform {
  double rotation = 0;                     // degrees; theta
  double column_shift = 0, row_shift = 0;  // pixels; tx, ty
  double shear = 0;                        // degrees
  double column_zoom = 1, row_zoom = 1;    // zx, zy: above 1 the image gets smaller
  bool flip_horizontal = false, flip_vertical = false;
  std::optional<float> channel_shift = {};  // added to all channels
  std::optional<float> brightness = {};     // a factor

  bool is_affine() const;  // more than flips
};

// Rotation, shift, shear and zoom about the centre of the image, then the flips.
AffineMap affine_map(const ImageTransform& transform, const ImageShape& shape);

// Adds the shift and clips to the range that the image had.
void shift_channels(float* image, int64_t elements, float shift);

// Multiplies and clips in whole numbers from 0 to 255, the alpha of four channels excepted; an
// image that goes beyond this range is brought into it before, and back after.
void scale_brightness(float* image, const ImageShape& shape, float factor);

void mirror_columns(float* image, const ImageShape& shape);
void mirror_rows(float* image, const ImageShape& shape);

// Flips and colours, where the transform is not affine.
void transform_in_place(float* image, const ImageShape& shape, const ImageTransform& transform);
// All of it. `from` and `into` must not overlap.
void transform_image(const float* from, const ImageShape& shape, const ImageTransform& transform,
                     ImageFill fill, float constant, float* into);

}  // namespace plimsoll
