// Dot: the product of two tensors over one axis of each, sample by sample.
#pragma once

#include <vector>

#include "plimsoll/nn/layers/layer.h"

namespace plimsoll {

struct DotOptions {
  std::vector<int64_t> axes = {};  // one for both, or one each; not the batch axis
  bool normalize = false;          // to unit length along the axis first: cosine proximity
  std::string name = {};
  bool trainable = true;
};

void describe(Fields& fields, DotOptions& options);

struct Dot : Layer {
  explicit Dot(const DotOptions& options = {});
};

}  // namespace plimsoll
