// Layers over volumes (batch, depth, height, width, channels), and those that pool to a size.
#include "plimsoll/nn/convolution/adaptive_pooling.h"
#include "plimsoll/nn/convolution/borders.h"
#include "plimsoll/nn/convolution/conv3d.h"
#include "plimsoll/nn/convolution/conv_transpose.h"
#include "plimsoll/nn/convolution/pooling3d.h"
#include "plimsoll/nn/convolution/up_sampling.h"
#include "plimsoll/nn/layers/layer_rows.h"
#include "plimsoll/nn/layers/noise.h"

namespace plimsoll {
namespace {

Layer adaptive_average_pooling1d_example() {
  return AdaptiveAveragePooling1D({.output_size = 3});
}
Layer adaptive_average_pooling2d_example() {
  return AdaptiveAveragePooling2D({.output_size = {3, 2}});
}
Layer adaptive_average_pooling3d_example() {
  return AdaptiveAveragePooling3D({.output_size = {3, 2, 2}});
}
Layer adaptive_max_pooling1d_example() {
  return AdaptiveMaxPooling1D({.output_size = 3});
}
Layer adaptive_max_pooling2d_example() {
  return AdaptiveMaxPooling2D({.output_size = {3, 2}});
}
Layer adaptive_max_pooling3d_example() {
  return AdaptiveMaxPooling3D({.output_size = {3, 2, 2}});
}
Layer conv3d_example() {
  return Conv3D({.filters = 4, .kernel_size = {2, 3, 2}, .padding = "same", .activation = "relu"});
}
Layer conv3d_transpose_example() {
  return Conv3DTranspose({.filters = 4, .kernel_size = {2, 3, 2}, .strides = {2, 1, 2}});
}
Layer cropping3d_example() {
  return Cropping3D({.cropping = {{1, 0}, {2, 1}, {0, 1}}});
}
Layer spatial_dropout3d_example() {
  return SpatialDropout3D({.rate = 0.3});
}
Layer up_sampling3d_example() {
  return UpSampling3D({.size = {1, 2, 3}});
}

}  // namespace

LayerRows volume_layer_rows() {
  const std::vector<Shape> volumes = {{2, 4, 5, 3, 2}};
  return {
      {"AdaptiveAveragePooling1D",
       from_config<AdaptiveAveragePooling1D, AdaptivePooling1DOptions>,
       adaptive_average_pooling1d_example,
       {{2, 5, 3}},
       {}},
      {"AdaptiveAveragePooling2D",
       from_config<AdaptiveAveragePooling2D, AdaptivePooling2DOptions>,
       adaptive_average_pooling2d_example,
       {{2, 5, 7, 3}},
       {}},
      {"AdaptiveAveragePooling3D",
       from_config<AdaptiveAveragePooling3D, AdaptivePooling3DOptions>,
       adaptive_average_pooling3d_example,
       volumes,
       {}},
      {"AdaptiveMaxPooling1D",
       from_config<AdaptiveMaxPooling1D, AdaptivePooling1DOptions>,
       adaptive_max_pooling1d_example,
       {{2, 5, 3}},
       {}},
      {"AdaptiveMaxPooling2D",
       from_config<AdaptiveMaxPooling2D, AdaptivePooling2DOptions>,
       adaptive_max_pooling2d_example,
       {{2, 5, 7, 3}},
       {}},
      {"AdaptiveMaxPooling3D",
       from_config<AdaptiveMaxPooling3D, AdaptivePooling3DOptions>,
       adaptive_max_pooling3d_example,
       volumes,
       {}},
      {"AveragePooling3D",
       from_config<AveragePooling3D, Pooling3DOptions>,
       with_defaults<AveragePooling3D>,
       volumes,
       {}},
      {"Conv3D", from_config<Conv3D, Conv3DOptions>, conv3d_example, volumes, {"kernel", "bias"}},
      {"Conv3DTranspose",
       from_config<Conv3DTranspose, Conv3DTransposeOptions>,
       conv3d_transpose_example,
       volumes,
       {"kernel", "bias"}},
      {"Cropping3D", from_config<Cropping3D, Cropping3DOptions>, cropping3d_example, volumes, {}},
      {"GlobalAveragePooling3D",
       from_config<GlobalAveragePooling3D, GlobalPooling3DOptions>,
       with_defaults<GlobalAveragePooling3D>,
       volumes,
       {}},
      {"GlobalMaxPooling3D",
       from_config<GlobalMaxPooling3D, GlobalPooling3DOptions>,
       with_defaults<GlobalMaxPooling3D>,
       volumes,
       {}},
      {"MaxPooling3D",
       from_config<MaxPooling3D, Pooling3DOptions>,
       with_defaults<MaxPooling3D>,
       volumes,
       {}},
      {"SpatialDropout3D",
       from_config<SpatialDropout3D, SpatialDropout3DOptions>,
       spatial_dropout3d_example,
       volumes,
       {}},
      {"UpSampling3D",
       from_config<UpSampling3D, UpSampling3DOptions>,
       up_sampling3d_example,
       volumes,
       {}},
      {"ZeroPadding3D",
       from_config<ZeroPadding3D, ZeroPadding3DOptions>,
       with_defaults<ZeroPadding3D>,
       volumes,
       {}},
  };
}

}  // namespace plimsoll
