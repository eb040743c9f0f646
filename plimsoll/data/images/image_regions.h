// Which part of an image goes to which part of its slot.
#pragma once

#include <array>
#include <cstdint>

namespace plimsoll {

struct ImageBox {
  bool operator==(const ImageBox&) const = default;

  int64_t top = 0, left = 0, height = 0, width = 0;
};

struct ImageRegions {
  ImageBox from, to;
};

// All of the image to all of the slot: its proportions change.
ImageRegions stretch_to(ImageBox image, std::array<int64_t, 2> size);
// The largest part around the centre that has the proportions of the slot: Keras's smart_resize.
ImageRegions crop_to(ImageBox image, std::array<int64_t, 2> size);
// All of the image to as much of the slot as its proportions allow: tf.image.resize_with_pad.
ImageRegions pad_to(ImageBox image, std::array<int64_t, 2> size);

}  // namespace plimsoll
