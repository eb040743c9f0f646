// Layers that pool to a given size, whatever the size of the input.
#pragma once

#include "plimsoll/nn/layers/layer.h"
#include "plimsoll/nn/size2d.h"
#include "plimsoll/nn/size3d.h"

namespace plimsoll {

// Output i of n along an axis of m positions is pooled from floor(i * m / n) up to, and without,
// ceil((i + 1) * m / n).
template <class Size>
struct AdaptivePoolingOptions {
  Size output_size = 0;
  std::string name = {};
  bool trainable = true;
};
using AdaptivePooling1DOptions = AdaptivePoolingOptions<int64_t>;
using AdaptivePooling2DOptions = AdaptivePoolingOptions<Size2D>;
using AdaptivePooling3DOptions = AdaptivePoolingOptions<Size3D>;
void describe(Fields& fields, AdaptivePooling1DOptions& options);
void describe(Fields& fields, AdaptivePooling2DOptions& options);
void describe(Fields& fields, AdaptivePooling3DOptions& options);

struct AdaptiveAveragePooling1D : Layer {
  explicit AdaptiveAveragePooling1D(const AdaptivePooling1DOptions& options = {});
};
struct AdaptiveAveragePooling2D : Layer {
  explicit AdaptiveAveragePooling2D(const AdaptivePooling2DOptions& options = {});
};
struct AdaptiveAveragePooling3D : Layer {
  explicit AdaptiveAveragePooling3D(const AdaptivePooling3DOptions& options = {});
};
struct AdaptiveMaxPooling1D : Layer {
  explicit AdaptiveMaxPooling1D(const AdaptivePooling1DOptions& options = {});
};
struct AdaptiveMaxPooling2D : Layer {
  explicit AdaptiveMaxPooling2D(const AdaptivePooling2DOptions& options = {});
};
struct AdaptiveMaxPooling3D : Layer {
  explicit AdaptiveMaxPooling3D(const AdaptivePooling3DOptions& options = {});
};

}  // namespace plimsoll
