// RandomCrop: while training, cuts the same random part out of all images of a batch (batch,
// height, width, channels); smaller images are resized. Outside training images stay as they are,
// as in Keras.
#pragma once

#include <optional>

#include "plimsoll/nn/layers/layer.h"

namespace plimsoll {

struct RandomCropOptions {
  int64_t height = 0;
  int64_t width = 0;
  std::optional<int64_t> seed = {};  // instead of the global one
  std::string name = {};
  bool trainable = true;
};

void describe(Fields& fields, RandomCropOptions& options);

struct RandomCrop : Layer {
  explicit RandomCrop(const RandomCropOptions& options = {});
};

}  // namespace plimsoll
