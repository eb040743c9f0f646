// Layers that make one tensor of several. Called with a list: Add()({a, b}). The result counts
// where any input counts, if all have masks.
#pragma once

#include "plimsoll/nn/layers/layer.h"

namespace plimsoll {

struct MergeOptions {
  std::string name = {};
  bool trainable = true;
};

void describe(Fields& fields, MergeOptions& options);

// Element by element. Shapes broadcast; an input of lower rank first gets axes of 1 after its batch
// axis.
struct Add : Layer {
  explicit Add(const MergeOptions& options = {});
};
struct Subtract : Layer {  // two inputs
  explicit Subtract(const MergeOptions& options = {});
};
struct Multiply : Layer {
  explicit Multiply(const MergeOptions& options = {});
};
struct Average : Layer {
  explicit Average(const MergeOptions& options = {});
};
struct Maximum : Layer {
  explicit Maximum(const MergeOptions& options = {});
};
struct Minimum : Layer {
  explicit Minimum(const MergeOptions& options = {});
};

struct ConcatenateOptions {
  int axis = -1;
  std::string name = {};
  bool trainable = true;
};

void describe(Fields& fields, ConcatenateOptions& options);

struct Concatenate : Layer {
  explicit Concatenate(const ConcatenateOptions& options = {});
};

}  // namespace plimsoll
