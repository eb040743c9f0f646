// Rescaling: x * scale + offset, with integers made float32.
#pragma once

#include "plimsoll/nn/keras/number_or_list.h"
#include "plimsoll/nn/layers/layer.h"

namespace plimsoll {

struct RescalingOptions {
  NumberOrList scale = 1;  // a list broadcasts over the last axis
  NumberOrList offset = 0;
  std::string name = {};
  bool trainable = true;
};

void describe(Fields& fields, RescalingOptions& options);

struct Rescaling : Layer {
  explicit Rescaling(const RescalingOptions& options = {});
};

}  // namespace plimsoll
