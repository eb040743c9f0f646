// Layers that change the values of each image (batch, height, width, channels) at random while
// training.
#pragma once

#include <optional>

#include "plimsoll/nn/keras/number_or_list.h"
#include "plimsoll/nn/layers/layer.h"

namespace plimsoll {

struct RandomContrastOptions {
  // The distance from the mean of a channel becomes 1 - first to 1 + second of itself; a single
  // number is the second, and the first is 0.
  NumberOrList factor = 0;
  NumberOrList value_range = {0, 255};  // of the result
  std::optional<int64_t> seed = {};     // instead of the global one
  std::string name = {};
  bool trainable = true;
};
void describe(Fields& fields, RandomContrastOptions& options);
struct RandomContrast : Layer {
  explicit RandomContrast(const RandomContrastOptions& options = {});
};

struct RandomBrightnessOptions {
  NumberOrList factor = 0;  // of the value range, added: 0.2 is -0.2 to 0.2; or {low, high}
  NumberOrList value_range = {0, 255};
  std::optional<int64_t> seed = {};
  std::string name = {};
  bool trainable = true;
};
void describe(Fields& fields, RandomBrightnessOptions& options);
struct RandomBrightness : Layer {
  explicit RandomBrightness(const RandomBrightnessOptions& options = {});
};

}  // namespace plimsoll
