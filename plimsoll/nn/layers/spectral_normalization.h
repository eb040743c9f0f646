// SpectralNormalization: a layer whose kernel is divided by its largest singular value.
#pragma once

#include "plimsoll/nn/layers/layer.h"

namespace plimsoll {

struct SpectralNormalizationOptions {
  Layer layer = {};  // has a weight "kernel", or "embeddings"
  // How often the estimate of the singular value is improved in each training step.
  int64_t power_iterations = 1;
  std::string name = {};
  bool trainable = true;
};

void describe(Fields& fields, SpectralNormalizationOptions& options);

// In training the kernel itself is replaced, before the layer is called; otherwise the layer is
// called as it is.
struct SpectralNormalization : Layer {
  explicit SpectralNormalization(const SpectralNormalizationOptions& options = {});
};

}  // namespace plimsoll
