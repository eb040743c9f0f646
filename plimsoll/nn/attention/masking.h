// Masking: steps whose features all equal a value do not count in the layers that follow.
#pragma once

#include "plimsoll/nn/layers/layer.h"

namespace plimsoll {

struct MaskingOptions {
  double mask_value = 0;
  std::string name = {};
  bool trainable = true;
};

void describe(Fields& fields, MaskingOptions& options);

struct Masking : Layer {
  explicit Masking(const MaskingOptions& options = {});
};

}  // namespace plimsoll
