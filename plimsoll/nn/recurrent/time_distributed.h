// TimeDistributed: applies a layer to every step of (batch, steps, …), as if steps were samples.
#pragma once

#include "plimsoll/nn/layers/layer.h"

namespace plimsoll {

struct TimeDistributedOptions {
  Layer layer = {};
  std::string name = {};
  bool trainable = true;
};

void describe(Fields& fields, TimeDistributedOptions& options);

struct TimeDistributed : Layer {
  explicit TimeDistributed(const TimeDistributedOptions& options = {});
};

}  // namespace plimsoll
