// Layers that make images (batch, height, width, channels) smaller.
#pragma once

#include "plimsoll/nn/layers/layer.h"
#include "plimsoll/nn/size2d.h"

namespace plimsoll {

struct Pooling2DOptions {
  Size2D pool_size = 2;
  Size2D strides = 0;             // 0: the pool size
  std::string padding = "valid";  // or "same"
  std::string name = {};
  bool trainable = true;
};

void describe(Fields& fields, Pooling2DOptions& options);

struct MaxPooling2D : Layer {
  explicit MaxPooling2D(const Pooling2DOptions& options = {});
};

struct AveragePooling2D : Layer {
  explicit AveragePooling2D(const Pooling2DOptions& options = {});
};

struct GlobalPooling2DOptions {
  bool keepdims = false;  // (batch, 1, 1, channels) instead of (batch, channels)
  std::string name = {};
  bool trainable = true;
};

void describe(Fields& fields, GlobalPooling2DOptions& options);

struct GlobalAveragePooling2D : Layer {
  explicit GlobalAveragePooling2D(const GlobalPooling2DOptions& options = {});
};

struct GlobalMaxPooling2D : Layer {
  explicit GlobalMaxPooling2D(const GlobalPooling2DOptions& options = {});
};

}  // namespace plimsoll
