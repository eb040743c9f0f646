// Layers that change the hue, the saturation or the colours as a whole of each RGB image at random
// while training.
#pragma once

#include <optional>

#include "plimsoll/nn/keras/number_or_list.h"
#include "plimsoll/nn/layers/layer.h"

namespace plimsoll {

// Turns the hue of an image by up to half of the factor of a circle, either way.
struct RandomHueOptions {
  NumberOrList factor = 0;
  NumberOrList value_range = {0, 255};
  std::optional<int64_t> seed = {};
  std::string name = {};
  bool trainable = true;
};
void describe(Fields& fields, RandomHueOptions& options);
struct RandomHue : Layer {
  explicit RandomHue(const RandomHueOptions& options = {});
};

// Multiplies the saturation by f / (1 - f) for a drawn f; f = 0.5 changes nothing.
struct RandomSaturationOptions {
  NumberOrList factor = 0;  // one number f is -f to f; or {low, high}
  NumberOrList value_range = {0, 255};
  std::optional<int64_t> seed = {};
  std::string name = {};
  bool trainable = true;
};
void describe(Fields& fields, RandomSaturationOptions& options);
struct RandomSaturation : Layer {
  explicit RandomSaturation(const RandomSaturationOptions& options = {});
};

// Moves an image towards its gray by a drawn share.
struct RandomColorDegenerationOptions {
  NumberOrList factor = 0;
  NumberOrList value_range = {0, 255};
  std::optional<int64_t> seed = {};
  std::string name = {};
  bool trainable = true;
};
void describe(Fields& fields, RandomColorDegenerationOptions& options);
struct RandomColorDegeneration : Layer {
  explicit RandomColorDegeneration(const RandomColorDegenerationOptions& options = {});
};

struct RandomGrayscaleOptions {
  double factor = 0.5;               // the probability that an image becomes gray
  std::optional<int64_t> seed = {};  // instead of the global one; Keras does not save it
  std::string name = {};
  bool trainable = true;
};
void describe(Fields& fields, RandomGrayscaleOptions& options);
struct RandomGrayscale : Layer {
  explicit RandomGrayscale(const RandomGrayscaleOptions& options = {});
};

// Brightness, contrast, saturation and hue, in this order, each as the layer of that name.
struct RandomColorJitterOptions {
  NumberOrList value_range = {0, 255};
  std::optional<NumberOrList> brightness_factor = {};  // unset: left as it is
  std::optional<NumberOrList> contrast_factor = {};
  std::optional<NumberOrList> saturation_factor = {};
  std::optional<NumberOrList> hue_factor = {};
  std::optional<int64_t> seed = {};
  std::string name = {};
  bool trainable = true;
};
void describe(Fields& fields, RandomColorJitterOptions& options);
struct RandomColorJitter : Layer {
  explicit RandomColorJitter(const RandomColorJitterOptions& options = {});
};

}  // namespace plimsoll
