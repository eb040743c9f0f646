// AlphaDropout: drops elements so that self-normalising activations (selu) keep their mean and
// variance.
#pragma once

#include <optional>

#include "plimsoll/nn/layers/layer.h"

namespace plimsoll {

struct AlphaDropoutOptions {
  double rate = -1;        // must be given
  Shape noise_shape = {};  // rank 0: the input's; a dimension of 1 drops along that axis together
  std::optional<int64_t> seed = {};
  std::string name = {};
  bool trainable = true;
};

void describe(Fields& fields, AlphaDropoutOptions& options);

struct AlphaDropout : Layer {
  explicit AlphaDropout(const AlphaDropoutOptions& options = {});
};

}  // namespace plimsoll
