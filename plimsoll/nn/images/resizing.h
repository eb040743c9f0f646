// Layers that give images (batch, height, width, channels) another size, in training and after.
#pragma once

#include "plimsoll/nn/layers/layer.h"

namespace plimsoll {

struct ResizingOptions {
  int64_t height = 0;
  int64_t width = 0;
  std::string interpolation = "bilinear";  // or "nearest", "bicubic", "lanczos3", "lanczos5"
  // How images keep their proportions: by cropping what does not fit the new shape, or by padding
  // with fill_value. If neither is set, images are stretched.
  bool crop_to_aspect_ratio = false;
  bool pad_to_aspect_ratio = false;
  double fill_value = 0;
  bool antialias = false;
  std::string name = {};
  bool trainable = true;
};

void describe(Fields& fields, ResizingOptions& options);

// Integers stay integers, rounded.
struct Resizing : Layer {
  explicit Resizing(const ResizingOptions& options = {});
};

struct CenterCropOptions {
  int64_t height = 0;
  int64_t width = 0;
  std::string name = {};
  bool trainable = true;
};

void describe(Fields& fields, CenterCropOptions& options);

// Cuts out the middle; smaller images are enlarged first.
struct CenterCrop : Layer {
  explicit CenterCrop(const CenterCropOptions& options = {});
};

}  // namespace plimsoll
