// Activations, noise, normalisation by groups and by given statistics, and plain movements.
#include "plimsoll/nn/attention/dot.h"
#include "plimsoll/nn/layers/activation_layers.h"
#include "plimsoll/nn/layers/activity_regularization.h"
#include "plimsoll/nn/layers/group_normalization.h"
#include "plimsoll/nn/layers/layer_rows.h"
#include "plimsoll/nn/layers/layer_scale.h"
#include "plimsoll/nn/layers/noise.h"
#include "plimsoll/nn/layers/normalization.h"
#include "plimsoll/nn/layers/permuting.h"

namespace plimsoll {
namespace {

Layer activity_regularization_example() {
  return ActivityRegularization({.l1 = 0.1});
}
Layer dot_example() {
  return Dot({.axes = {1}});
}
Layer gaussian_dropout_example() {
  return GaussianDropout({.rate = 0.3});
}
Layer gaussian_noise_example() {
  return GaussianNoise({.stddev = 0.1});
}
Layer group_normalization_example() {
  return GroupNormalization({.groups = 3});
}
Layer layer_scale_example() {
  return LayerScale({.init_values = 0.5, .projection_dim = 6});
}
Layer permute_example() {
  return Permute({.dims = {2, 1}});
}
Layer prelu_example() {
  return PReLU({.alpha_initializer = "ones", .shared_axes = {1, 2}});
}
Layer relu_example() {
  return ReLU({.max_value = 0.5, .negative_slope = 0.1});
}
Layer repeat_vector_example() {
  return RepeatVector({.n = 3});
}
Layer spatial_dropout1d_example() {
  return SpatialDropout1D({.rate = 0.3});
}
Layer spatial_dropout2d_example() {
  return SpatialDropout2D({.rate = 0.3});
}

Layer stochastic_depth_example() {
  return StochasticDepth({.drop_path_rate = 0.3});
}

constexpr std::string_view kConvNext = "keras.src.applications.convnext";

}  // namespace

LayerRows elementwise_layer_rows() {
  const std::vector<Shape> images = {{2, 5, 6, 3}}, rows = {{4, 6}}, steps = {{2, 5, 3}};
  return {
      {"ActivityRegularization",
       from_config<ActivityRegularization, ActivityRegularizationOptions>,
       activity_regularization_example,
       rows,
       {}},
      {"Dot", from_config<Dot, DotOptions>, dot_example, {{3, 4}, {3, 4}}, {}},
      {"ELU", from_config<ELU, ELUOptions>, with_defaults<ELU>, rows, {}},
      {"GaussianDropout",
       from_config<GaussianDropout, GaussianDropoutOptions>,
       gaussian_dropout_example,
       rows,
       {}},
      {"GaussianNoise",
       from_config<GaussianNoise, GaussianNoiseOptions>,
       gaussian_noise_example,
       rows,
       {}},
      {"GroupNormalization",
       from_config<GroupNormalization, GroupNormalizationOptions>,
       group_normalization_example,
       images,
       {"gamma", "beta"}},
      {"Identity", from_config<Identity, IdentityOptions>, with_defaults<Identity>, rows, {}},
      {"LayerScale",
       from_config<LayerScale, LayerScaleOptions>,
       layer_scale_example,
       rows,
       {"gamma"},
       DType::float32,
       {},
       kConvNext},
      {"LeakyReLU", from_config<LeakyReLU, LeakyReLUOptions>, with_defaults<LeakyReLU>, rows, {}},
      {"Normalization",
       from_config<Normalization, NormalizationOptions>,
       with_defaults<Normalization>,
       rows,
       {"mean", "variance", "count"}},
      {"PReLU", from_config<PReLU, PReLUOptions>, prelu_example, images, {"alpha"}},
      {"Permute", from_config<Permute, PermuteOptions>, permute_example, steps, {}},
      {"ReLU", from_config<ReLU, ReLUOptions>, relu_example, rows, {}},
      {"RepeatVector",
       from_config<RepeatVector, RepeatVectorOptions>,
       repeat_vector_example,
       rows,
       {}},
      {"Softmax", from_config<Softmax, SoftmaxOptions>, with_defaults<Softmax>, rows, {}},
      {"SpatialDropout1D",
       from_config<SpatialDropout1D, SpatialDropout1DOptions>,
       spatial_dropout1d_example,
       steps,
       {}},
      {"SpatialDropout2D",
       from_config<SpatialDropout2D, SpatialDropout2DOptions>,
       spatial_dropout2d_example,
       images,
       {}},
      {"StochasticDepth",
       from_config<StochasticDepth, StochasticDepthOptions>,
       stochastic_depth_example,
       images,
       {},
       DType::float32,
       {},
       kConvNext},
  };
}

}  // namespace plimsoll
