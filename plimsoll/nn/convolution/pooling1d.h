// Layers that make (batch, steps, channels) shorter.
#pragma once

#include "plimsoll/nn/layers/layer.h"

namespace plimsoll {

struct Pooling1DOptions {
  int64_t pool_size = 2;
  int64_t strides = 0;            // 0: the pool size
  std::string padding = "valid";  // or "same"
  std::string name = {};
  bool trainable = true;
};

void describe(Fields& fields, Pooling1DOptions& options);

struct MaxPooling1D : Layer {
  explicit MaxPooling1D(const Pooling1DOptions& options = {});
};

struct AveragePooling1D : Layer {
  explicit AveragePooling1D(const Pooling1DOptions& options = {});
};

struct GlobalPooling1DOptions {
  bool keepdims = false;  // (batch, 1, channels) instead of (batch, channels)
  std::string name = {};
  bool trainable = true;
};

void describe(Fields& fields, GlobalPooling1DOptions& options);

// The mean over the steps that the mask leaves in; without a mask, over all.
struct GlobalAveragePooling1D : Layer {
  explicit GlobalAveragePooling1D(const GlobalPooling1DOptions& options = {});
};

struct GlobalMaxPooling1D : Layer {
  explicit GlobalMaxPooling1D(const GlobalPooling1DOptions& options = {});
};

}  // namespace plimsoll
