// Bidirectional: a recurrent layer and one that runs from the last step to the first.
#pragma once

#include <optional>

#include "plimsoll/nn/layers/layer.h"

namespace plimsoll {

struct BidirectionalOptions {
  // The forward layer is a new layer with the same settings, "forward_<name>". So is the backward
  // layer, "backward_<name>", unless one is given.
  Layer layer = {};
  Layer backward_layer = {};
  // How the two outputs become one: "concat", "sum", "mul" or "ave"; none: both come out.
  std::optional<std::string> merge_mode = "concat";
  std::string name = {};
  bool trainable = true;
};

void describe(Fields& fields, BidirectionalOptions& options);

// With return_state, the states of the forward layer and then those of the backward layer follow.
// An initial_state has them in the same order.
struct Bidirectional : Layer {
  explicit Bidirectional(const BidirectionalOptions& options = {});
};

}  // namespace plimsoll
