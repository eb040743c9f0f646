// Layers that apply random noise or dropout to their input while training and otherwise pass it on.
#pragma once

#include <optional>

#include "plimsoll/nn/layers/layer.h"

namespace plimsoll {

// Adds normal noise.
struct GaussianNoiseOptions {
  double stddev = -1;  // must be given
  std::optional<int64_t> seed = {};
  std::string name = {};
  bool trainable = true;
};
void describe(Fields& fields, GaussianNoiseOptions& options);
struct GaussianNoise : Layer {
  explicit GaussianNoise(const GaussianNoiseOptions& options = {});
};

// Multiplies by normal noise around 1, of variance rate / (1 - rate).
struct GaussianDropoutOptions {
  double rate = -1;  // must be given
  std::optional<int64_t> seed = {};
  std::string name = {};
  bool trainable = true;
};
void describe(Fields& fields, GaussianDropoutOptions& options);
struct GaussianDropout : Layer {
  explicit GaussianDropout(const GaussianDropoutOptions& options = {});
};

// Dropout of whole channels of (batch, steps, channels).
struct SpatialDropout1DOptions {
  double rate = -1;  // must be given
  std::optional<int64_t> seed = {};
  std::string name = {};
  bool trainable = true;
};
void describe(Fields& fields, SpatialDropout1DOptions& options);
struct SpatialDropout1D : Layer {
  explicit SpatialDropout1D(const SpatialDropout1DOptions& options = {});
};

// The same of images.
struct SpatialDropout2DOptions {
  double rate = -1;  // must be given
  std::optional<int64_t> seed = {};
  std::string name = {};
  bool trainable = true;
};
void describe(Fields& fields, SpatialDropout2DOptions& options);
struct SpatialDropout2D : Layer {
  explicit SpatialDropout2D(const SpatialDropout2DOptions& options = {});
};

// The same of volumes (batch, depth, height, width, channels).
struct SpatialDropout3DOptions {
  double rate = -1;  // must be given
  std::optional<int64_t> seed = {};
  std::string name = {};
  bool trainable = true;
};
void describe(Fields& fields, SpatialDropout3DOptions& options);
struct SpatialDropout3D : Layer {
  explicit SpatialDropout3D(const SpatialDropout3DOptions& options = {});
};

// Dropout of whole samples: a residual branch that is skipped at random. ConvNeXt has it.
struct StochasticDepthOptions {
  double drop_path_rate = -1;  // must be given
  std::string name = {};
  bool trainable = true;
};
void describe(Fields& fields, StochasticDepthOptions& options);
struct StochasticDepth : Layer {
  explicit StochasticDepth(const StochasticDepthOptions& options = {});
};

}  // namespace plimsoll
