// Layers that change the tones of each image: inverted, of fewer steps, or stretched.
#pragma once

#include <optional>

#include "plimsoll/nn/keras/number_or_list.h"
#include "plimsoll/nn/layers/layer.h"

namespace plimsoll {

// Subtracts an image from the highest value, with a probability between 0 and the factor.
struct RandomInvertOptions {
  NumberOrList factor = 1;  // or {low, high}
  NumberOrList value_range = {0, 255};
  std::optional<int64_t> seed = {};
  std::string name = {};
  bool trainable = true;
};
void describe(Fields& fields, RandomInvertOptions& options);
struct RandomInvert : Layer {
  explicit RandomInvert(const RandomInvertOptions& options = {});
};

// Keeps the highest bits of each value, as many as are drawn.
struct RandomPosterizationOptions {
  NumberOrList factor = 8;  // bits, 1 to 8; or {low, high}, high excluded
  NumberOrList value_range = {0, 255};
  std::optional<int64_t> seed = {};
  std::string name = {};
  bool trainable = true;
};
void describe(Fields& fields, RandomPosterizationOptions& options);
struct RandomPosterization : Layer {
  explicit RandomPosterization(const RandomPosterizationOptions& options = {});
};

// Inverts the values that are at least a drawn threshold, after a drawn number is added.
struct SolarizationOptions {
  NumberOrList addition_factor = 0;   // of 255, at most
  NumberOrList threshold_factor = 0;  // of 255, at most
  NumberOrList value_range = {0, 255};
  std::optional<int64_t> seed = {};
  std::string name = {};
  bool trainable = true;
};
void describe(Fields& fields, SolarizationOptions& options);
struct Solarization : Layer {
  explicit Solarization(const SolarizationOptions& options = {});
};

// Stretches the values of each channel of an image over the whole range, not only while training.
struct AutoContrastOptions {
  NumberOrList value_range = {0, 255};
  std::string name = {};
  bool trainable = true;
};
void describe(Fields& fields, AutoContrastOptions& options);
struct AutoContrast : Layer {
  explicit AutoContrast(const AutoContrastOptions& options = {});
};

}  // namespace plimsoll
