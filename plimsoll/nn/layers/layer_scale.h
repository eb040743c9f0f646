// LayerScale: multiplies each channel by a trained number that begins small. ConvNeXt has it.
#pragma once

#include "plimsoll/nn/layers/layer.h"

namespace plimsoll {

struct LayerScaleOptions {
  double init_values = 1e-6;   // the number of every channel at first
  int64_t projection_dim = 0;  // the channels of the input, or 1
  std::string name = {};
  bool trainable = true;
};

void describe(Fields& fields, LayerScaleOptions& options);

struct LayerScale : Layer {
  explicit LayerScale(const LayerScaleOptions& options = {});
};

}  // namespace plimsoll
