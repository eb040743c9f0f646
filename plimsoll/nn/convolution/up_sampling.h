// Layers that enlarge by whole factors.
#pragma once

#include "plimsoll/nn/layers/layer.h"
#include "plimsoll/nn/size2d.h"
#include "plimsoll/nn/size3d.h"

namespace plimsoll {

struct UpSampling2DOptions {
  Size2D size = 2;
  std::string interpolation = "nearest";  // or "bilinear", "bicubic", "lanczos3", "lanczos5"
  std::string name = {};
  bool trainable = true;
};

void describe(Fields& fields, UpSampling2DOptions& options);

// (batch, height, width, channels)
struct UpSampling2D : Layer {
  explicit UpSampling2D(const UpSampling2DOptions& options = {});
};

struct UpSampling1DOptions {
  int64_t size = 2;
  std::string name = {};
  bool trainable = true;
};

void describe(Fields& fields, UpSampling1DOptions& options);

// (batch, steps, channels); repeats each step.
struct UpSampling1D : Layer {
  explicit UpSampling1D(const UpSampling1DOptions& options = {});
};

struct UpSampling3DOptions {
  Size3D size = 2;
  std::string name = {};
  bool trainable = true;
};

void describe(Fields& fields, UpSampling3DOptions& options);

// (batch, depth, height, width, channels); repeats each position.
struct UpSampling3D : Layer {
  explicit UpSampling3D(const UpSampling3DOptions& options = {});
};

}  // namespace plimsoll
