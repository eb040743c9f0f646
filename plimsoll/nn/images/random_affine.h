// Layers that flip, turn, zoom and move each image (batch, height, width, channels) at random while
// training.
#pragma once

#include <optional>

#include "plimsoll/nn/keras/number_or_list.h"
#include "plimsoll/nn/layers/layer.h"

namespace plimsoll {

struct RandomFlipOptions {
  // Or "horizontal", "vertical". Half of the images are flipped; with both, both ways at once.
  std::string mode = "horizontal_and_vertical";
  std::optional<int64_t> seed = {};  // instead of the global one
  std::string name = {};
  bool trainable = true;
};
void describe(Fields& fields, RandomFlipOptions& options);
struct RandomFlip : Layer {
  explicit RandomFlip(const RandomFlipOptions& options = {});
};

struct RandomRotationOptions {
  NumberOrList factor = 0;            // of a full turn: 0.1 is -36 to 36 degrees; or {low, high}
  std::string fill_mode = "reflect";  // or "constant", "wrap", "nearest"
  std::string interpolation = "bilinear";  // or "nearest"
  std::optional<int64_t> seed = {};
  double fill_value = 0;
  std::string name = {};
  bool trainable = true;
};
void describe(Fields& fields, RandomRotationOptions& options);
struct RandomRotation : Layer {
  explicit RandomRotation(const RandomRotationOptions& options = {});
};

struct RandomZoomOptions {
  NumberOrList height_factor = 0;  // 0.2: from 0.8 to 1.2 of the image is shown; or {low, high}
  std::optional<NumberOrList> width_factor = {};  // unset: as the height, by the same draw
  std::string fill_mode = "reflect";
  std::string interpolation = "bilinear";
  std::optional<int64_t> seed = {};
  double fill_value = 0;
  std::string name = {};
  bool trainable = true;
};
void describe(Fields& fields, RandomZoomOptions& options);
struct RandomZoom : Layer {
  explicit RandomZoom(const RandomZoomOptions& options = {});
};

struct RandomTranslationOptions {
  NumberOrList height_factor = 0;  // of the height, downwards; or {low, high}
  NumberOrList width_factor = 0;   // of the width, to the right
  std::string fill_mode = "reflect";
  std::string interpolation = "bilinear";
  std::optional<int64_t> seed = {};
  double fill_value = 0;
  std::string name = {};
  bool trainable = true;
};
void describe(Fields& fields, RandomTranslationOptions& options);
struct RandomTranslation : Layer {
  explicit RandomTranslation(const RandomTranslationOptions& options = {});
};

// Moves rows sideways by a share of their number, and columns by a share of theirs.
struct RandomShearOptions {
  NumberOrList x_factor = 0;  // 0.2 is -0.2 to 0.2; or {low, high}, and the same turned round
  NumberOrList y_factor = 0;
  std::string interpolation = "bilinear";
  std::string fill_mode = "reflect";
  double fill_value = 0;
  std::optional<int64_t> seed = {};
  std::string name = {};
  bool trainable = true;
};
void describe(Fields& fields, RandomShearOptions& options);
struct RandomShear : Layer {
  explicit RandomShear(const RandomShearOptions& options = {});
};

}  // namespace plimsoll
