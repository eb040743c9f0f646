// Layers that sharpen, blur or partly cover each image at random while training.
#pragma once

#include <optional>

#include "plimsoll/nn/keras/number_or_list.h"
#include "plimsoll/nn/layers/layer.h"

namespace plimsoll {

// Moves an image away from its smoothed self: 0 is smoothed, 0.5 as it was, 1 sharpened.
struct RandomSharpnessOptions {
  NumberOrList factor = 0;
  NumberOrList value_range = {0, 255};
  std::optional<int64_t> seed = {};
  std::string name = {};
  bool trainable = true;
};
void describe(Fields& fields, RandomSharpnessOptions& options);
struct RandomSharpness : Layer {
  explicit RandomSharpness(const RandomSharpnessOptions& options = {});
};

struct RandomGaussianBlurOptions {
  NumberOrList factor = 1;       // the probability is drawn from 0 to this; or {low, high}
  NumberOrList kernel_size = 3;  // odd; or {width, height}
  NumberOrList sigma = 1;        // drawn from 0 to this, once per batch; or {low, high}
  NumberOrList value_range = {0, 255};
  std::optional<int64_t> seed = {};
  std::string name = {};
  bool trainable = true;
};
void describe(Fields& fields, RandomGaussianBlurOptions& options);
struct RandomGaussianBlur : Layer {
  explicit RandomGaussianBlur(const RandomGaussianBlurOptions& options = {});
};

// Fills a rectangle of an image.
struct RandomErasingOptions {
  NumberOrList factor = 1;                      // the probability is drawn from 0 to this
  NumberOrList scale = {0.02, 0.33};            // the square of its sides, of those of the image
  std::optional<NumberOrList> fill_value = {};  // or one per channel; unset: normal noise
  NumberOrList value_range = {0, 255};
  std::optional<int64_t> seed = {};
  std::string name = {};
  bool trainable = true;
};
void describe(Fields& fields, RandomErasingOptions& options);
struct RandomErasing : Layer {
  explicit RandomErasing(const RandomErasingOptions& options = {});
};

}  // namespace plimsoll
