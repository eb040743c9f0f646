// What layers over images (batch, height, width, channels), and over rows of them (batch, steps,
// channels), have in common. A layer over rows computes as one over images of height 1.
#pragma once

#include <fmt/format.h>

#include <initializer_list>
#include <string>

#include "plimsoll/nn/keras/fields.h"
#include "plimsoll/nn/layers/make_layer.h"
#include "plimsoll/nn/size2d.h"
#include "plimsoll/nn/size3d.h"
#include "plimsoll/ops/movement/movement.h"

namespace plimsoll {

template <class Options>
class ImageLayer : public LayerOf<Options> {
 public:
  using LayerOf<Options>::LayerOf;

 protected:
  void expect_images(const Specs& inputs) const {
    expect_rank(inputs, 4, "images of shape (batch, height, width, channels)");
  }
  void expect_volumes(const Specs& inputs) const {
    expect_rank(inputs, 5, "volumes of shape (batch, depth, height, width, channels)");
  }
  void expect_rows(const Specs& inputs) const {
    expect_rank(inputs, 3, "an input of shape (batch, steps, channels)");
  }

  void at_least(int64_t least, const char* what, std::initializer_list<int64_t> values) const {
    for (const int64_t value : values)
      if (value < least)
        this->refuse(fmt::format("{} must be at least {}, found {}", what, least, value));
  }

  // Checks the input of a layer that is already built.
  void expect_channels(const Shape& input, int64_t expected) const {
    const int64_t found = input.back();
    if (found != expected)
      this->refuse(fmt::format("input has {}{}, kernel expects {} (found shape {})", found,
                               (found == 1 ? " channel" : " channels"), expected,
                               input.to_string()));
  }

 private:
  void expect_rank(const Specs& inputs, int rank, const char* what) const {
    if (inputs[0].shape.rank() != rank)
      this->refuse(std::string("expected ") + what + ", found " + inputs[0].shape.to_string());
  }
};

// (batch, steps, channels) -> (batch, 1, steps, channels), and back. Views.
inline Tensor as_image(const Tensor& rows) {
  const Shape& shape = rows.shape();
  return reshape(rows, {shape[0], 1, shape[1], shape[2]});
}
inline Tensor as_rows(const Tensor& image) {
  const Shape& shape = image.shape();
  return reshape(image, {shape[0], shape[2], shape[3]});
}

// Volumes (batch, depth, height, width, channels) as images, all of them views. One image per
// volume, (batch, depth, height * width, channels), for what is done along the depth …
inline Tensor as_depth_image(const Tensor& volumes) {
  const Shape& shape = volumes.shape();
  return reshape(volumes, {-1, shape[1], shape[2] * shape[3], shape[4]});
}
// … and of such an image, or of volumes, one image per slice: (batch * depth, height, width,
// channels).
inline Tensor as_image_per_slice(const Tensor& volumes, int64_t height) {
  const Shape& shape = volumes.shape();
  const int64_t pixels = shape.rank() == 5 ? shape[2] * shape[3] : shape[2];
  return reshape(volumes, {-1, height, pixels / height, shape.back()});
}
// The volumes of which these are the slices.
inline Tensor as_volumes(const Tensor& slices, int64_t depth) {
  const Shape& shape = slices.shape();
  return reshape(slices, {-1, depth, shape[1], shape[2], shape[3]});
}

// The kernel (steps, …) of a layer over rows as one over images: (1, steps, …).
inline Tensor as_image_kernel(const Variable& kernel) {
  return reshape(kernel, kernel.shape().with(0, 1));
}

// A size of a layer over rows: Keras writes a list of one.
inline void tell_length(Fields& fields, const char* key, int64_t& value) {
  std::vector<int64_t> lengths = {value};
  fields.with(key, lengths);
  if (lengths.size() != 1)
    fields.refuse(fmt::format("{} must be one number, found {}", key, lengths.size()));
  value = lengths[0];
}

// The same for layers over rows, images and volumes alike (size3d.h).
inline void tell_size(Fields& fields, const char* key, int64_t& size) {
  tell_length(fields, key, size);
}
inline void tell_size(Fields& fields, const char* key, Size2D& size) {
  fields.with(key, size);
}

}  // namespace plimsoll
