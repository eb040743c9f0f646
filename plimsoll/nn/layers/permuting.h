// Layers that reorder or repeat their input.
#pragma once

#include <vector>

#include "plimsoll/nn/layers/layer.h"

namespace plimsoll {

// Output axis i is input axis dims[i - 1]; axes count from 1, the batch stays first.
struct PermuteOptions {
  std::vector<int64_t> dims = {};
  std::string name = {};
  bool trainable = true;
};
void describe(Fields& fields, PermuteOptions& options);
struct Permute : Layer {
  explicit Permute(const PermuteOptions& options = {});
};

// (batch, features) -> (batch, n, features).
struct RepeatVectorOptions {
  int64_t n = 0;
  std::string name = {};
  bool trainable = true;
};
void describe(Fields& fields, RepeatVectorOptions& options);
struct RepeatVector : Layer {
  explicit RepeatVector(const RepeatVectorOptions& options = {});
};

// The input.
struct IdentityOptions {
  std::string name = {};
  bool trainable = true;
};
void describe(Fields& fields, IdentityOptions& options);
struct Identity : Layer {
  explicit Identity(const IdentityOptions& options = {});
};

}  // namespace plimsoll
