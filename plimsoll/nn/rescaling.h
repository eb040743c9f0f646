// Rescaling: x * scale + offset, with integers made float32.
#pragma once

#include "plimsoll/nn/layer.h"

namespace plimsoll {

struct RescalingOptions {
  double scale = 1;
  double offset = 0;
  std::string name = {};
  bool trainable = true;
};

struct Rescaling : Layer {
  explicit Rescaling(const RescalingOptions& options = {});
};

}  // namespace plimsoll
