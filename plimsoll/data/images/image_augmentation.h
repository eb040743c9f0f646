// The options of Keras's ImageDataGenerator, and the random numbers that are drawn for them.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "plimsoll/data/images/transform_image.h"
#include "plimsoll/data/source.h"

namespace plimsoll {

// Each number is drawn evenly from its range. An option that is not set does nothing.
struct ImageAugmentation {
  double rotation_range = 0;  // degrees, to either side
  // To either side: below 1 a part of the width (height), from 1 on pixels.
  double width_shift_range = 0, height_shift_range = 0;
  double shear_range = 0;  // degrees, to either side
  // The least and the most, for the width and the height each; below 1 the image gets larger.
  // Keras's zoom_range=z is {1 - z, 1 + z}.
  std::array<double, 2> zoom_range = {1, 1};
  bool horizontal_flip = false, vertical_flip = false;  // every other image
  std::optional<std::array<double, 2>> brightness_range = {};
  double channel_shift_range = 0;  // to either side, in the units of the pixels
  ImageFill fill_mode = ImageFill::nearest;
  float cval = 0;  // of ImageFill::constant

  // Not random, done last and in this order.
  float rescale = 1;
  bool samplewise_center = false, samplewise_std_normalization = false;  // the second has the first
  // One number for all channels or one for each, of the data after rescaling; empty: none.
  std::vector<float> featurewise_mean = {}, featurewise_std = {};
};

// InvalidArgument, naming the option, where one is not possible for images of this shape.
void check_augmentation(const ImageAugmentation& options, const ImageShape& shape);

// The numbers of a record in a pass; every call gives the same ones. An option that is switched on
// or off leaves the numbers of the others as they are.
ImageTransform draw_transform(const ImageAugmentation& options, const ImageShape& shape,
                              int64_t seed, RecordId id);

}  // namespace plimsoll
