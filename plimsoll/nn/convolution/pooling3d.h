// Layers that make volumes (batch, depth, height, width, channels) smaller.
#pragma once

#include "plimsoll/nn/layers/layer.h"
#include "plimsoll/nn/size3d.h"

namespace plimsoll {

struct Pooling3DOptions {
  Size3D pool_size = 2;
  Size3D strides = 0;             // 0: the pool size
  std::string padding = "valid";  // or "same"
  std::string name = {};
  bool trainable = true;
};

void describe(Fields& fields, Pooling3DOptions& options);

struct MaxPooling3D : Layer {
  explicit MaxPooling3D(const Pooling3DOptions& options = {});
};

struct AveragePooling3D : Layer {
  explicit AveragePooling3D(const Pooling3DOptions& options = {});
};

struct GlobalPooling3DOptions {
  bool keepdims = false;  // (batch, 1, 1, 1, channels) instead of (batch, channels)
  std::string name = {};
  bool trainable = true;
};

void describe(Fields& fields, GlobalPooling3DOptions& options);

struct GlobalAveragePooling3D : Layer {
  explicit GlobalAveragePooling3D(const GlobalPooling3DOptions& options = {});
};

struct GlobalMaxPooling3D : Layer {
  explicit GlobalMaxPooling3D(const GlobalPooling3DOptions& options = {});
};

}  // namespace plimsoll
