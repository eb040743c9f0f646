// Layers that only change the shape of each sample.
#pragma once

#include "plimsoll/nn/layers/layer.h"

namespace plimsoll {

struct FlattenOptions {
  std::string name = {};
  bool trainable = true;
};

void describe(Fields& fields, FlattenOptions& options);

// (batch, …) -> (batch, elements of a sample)
struct Flatten : Layer {
  explicit Flatten(const FlattenOptions& options = {});
};

struct ReshapeOptions {
  Shape target_shape = {};  // without the batch; at most one dimension may be -1
  std::string name = {};
  bool trainable = true;
};

void describe(Fields& fields, ReshapeOptions& options);

struct Reshape : Layer {
  explicit Reshape(const ReshapeOptions& options = {});
};

}  // namespace plimsoll
