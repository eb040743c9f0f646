// Dropout: zeroes a random share of the elements while training and scales up the rest.
#pragma once

#include <optional>

#include "plimsoll/nn/layer.h"

namespace plimsoll {

struct DropoutOptions {
  double rate = -1;                  // must be given
  std::optional<int64_t> seed = {};  // instead of the global one
  std::string name = {};
  bool trainable = true;
};

struct Dropout : Layer {
  explicit Dropout(const DropoutOptions& options = {});
};

}  // namespace plimsoll
