// Dropout: zeroes a random share of the elements while training and scales up the rest.
#pragma once

#include <optional>

#include "plimsoll/nn/layers/layer.h"

namespace plimsoll {

struct DropoutOptions {
  double rate = -1;                  // must be given
  std::optional<int64_t> seed = {};  // instead of the global one
  // The shape of the random mask, which is broadcast to the input: (batch, 1, channels) drops whole
  // channels. -1 means the input's dimension.
  Shape noise_shape = {};
  std::string name = {};
  bool trainable = true;
};

void describe(Fields& fields, DropoutOptions& options);

struct Dropout : Layer {
  explicit Dropout(const DropoutOptions& options = {});
};

}  // namespace plimsoll
