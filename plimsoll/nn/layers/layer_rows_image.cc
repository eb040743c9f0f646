// Convolutions of all kinds, pooling over rows, and layers that change the size or the look of
// images.
#include "plimsoll/nn/convolution/borders.h"
#include "plimsoll/nn/convolution/conv1d.h"
#include "plimsoll/nn/convolution/conv_transpose.h"
#include "plimsoll/nn/convolution/depthwise_conv.h"
#include "plimsoll/nn/convolution/pooling1d.h"
#include "plimsoll/nn/convolution/separable_conv.h"
#include "plimsoll/nn/convolution/stft_spectrogram.h"
#include "plimsoll/nn/convolution/up_sampling.h"
#include "plimsoll/nn/images/random_affine.h"
#include "plimsoll/nn/images/random_color.h"
#include "plimsoll/nn/images/random_crop.h"
#include "plimsoll/nn/images/resizing.h"
#include "plimsoll/nn/layers/layer_rows.h"

namespace plimsoll {
namespace {

Layer center_crop_example() {
  return CenterCrop({.height = 3, .width = 4});
}
Layer conv1d_example() {
  return Conv1D({.filters = 4, .kernel_size = 3, .padding = "causal", .activation = "relu"});
}
Layer conv1d_transpose_example() {
  return Conv1DTranspose({.filters = 4, .kernel_size = 3, .strides = 2, .output_padding = 1});
}
Layer conv2d_transpose_example() {
  return Conv2DTranspose({.filters = 4, .kernel_size = 3, .strides = 2, .padding = "same"});
}
Layer cropping2d_example() {
  return Cropping2D({.cropping = {{1, 0}, {2, 1}}});
}
Layer depthwise_conv1d_example() {
  return DepthwiseConv1D({.kernel_size = 3, .depth_multiplier = 2});
}
Layer depthwise_conv2d_example() {
  return DepthwiseConv2D({.kernel_size = {3, 2}, .padding = "same", .activation = "relu"});
}
Layer random_brightness_example() {
  return RandomBrightness({.factor = 0.2, .value_range = {-9, 9}});
}
Layer random_contrast_example() {
  return RandomContrast({.factor = 0.3, .value_range = {-9, 9}, .seed = 3});
}
Layer random_crop_example() {
  return RandomCrop({.height = 3, .width = 4});
}
Layer random_rotation_example() {
  return RandomRotation({.factor = {-0.1, 0.3}, .fill_mode = "wrap"});
}
Layer random_translation_example() {
  return RandomTranslation({.height_factor = 0.2, .width_factor = {0.1, 0.2}});
}
Layer random_zoom_example() {
  return RandomZoom({.height_factor = 0.2, .fill_mode = "constant", .fill_value = 1});
}
Layer resizing_example() {
  return Resizing({.height = 7, .width = 4, .crop_to_aspect_ratio = true});
}
Layer separable_conv1d_example() {
  return SeparableConv1D({.filters = 4, .kernel_size = 3, .use_bias = false});
}
Layer separable_conv2d_example() {
  return SeparableConv2D({.filters = 4, .kernel_size = 3, .strides = 2, .depth_multiplier = 2});
}
Layer stft_spectrogram_example() {
  return STFTSpectrogram({.frame_length = 4});
}
Layer up_sampling2d_example() {
  return UpSampling2D({.size = {2, 3}, .interpolation = "bilinear"});
}

LayerRows convolution_rows(const std::vector<Shape>& images, const std::vector<Shape>& steps) {
  return {
      {"Conv1D", from_config<Conv1D, Conv1DOptions>, conv1d_example, steps, {"kernel", "bias"}},
      {"Conv1DTranspose",
       from_config<Conv1DTranspose, Conv1DTransposeOptions>,
       conv1d_transpose_example,
       steps,
       {"kernel", "bias"}},
      {"Conv2DTranspose",
       from_config<Conv2DTranspose, Conv2DTransposeOptions>,
       conv2d_transpose_example,
       images,
       {"kernel", "bias"}},
      {"DepthwiseConv1D",
       from_config<DepthwiseConv1D, DepthwiseConv1DOptions>,
       depthwise_conv1d_example,
       steps,
       {"kernel", "bias"}},
      {"DepthwiseConv2D",
       from_config<DepthwiseConv2D, DepthwiseConv2DOptions>,
       depthwise_conv2d_example,
       images,
       {"kernel", "bias"}},
      {"SeparableConv1D",
       from_config<SeparableConv1D, SeparableConv1DOptions>,
       separable_conv1d_example,
       steps,
       {"depthwise_kernel", "pointwise_kernel"}},
      {"SeparableConv2D",
       from_config<SeparableConv2D, SeparableConv2DOptions>,
       separable_conv2d_example,
       images,
       {"depthwise_kernel", "pointwise_kernel", "bias"}},
      {"STFTSpectrogram",
       from_config<STFTSpectrogram, STFTSpectrogramOptions>,
       stft_spectrogram_example,
       steps,
       {"real_kernel", "imag_kernel"}},
  };
}

LayerRows size_rows(const std::vector<Shape>& images, const std::vector<Shape>& steps) {
  return {
      {"AveragePooling1D",
       from_config<AveragePooling1D, Pooling1DOptions>,
       with_defaults<AveragePooling1D>,
       steps,
       {}},
      {"CenterCrop", from_config<CenterCrop, CenterCropOptions>, center_crop_example, images, {}},
      {"Cropping1D",
       from_config<Cropping1D, Cropping1DOptions>,
       with_defaults<Cropping1D>,
       steps,
       {}},
      {"Cropping2D", from_config<Cropping2D, Cropping2DOptions>, cropping2d_example, images, {}},
      {"GlobalAveragePooling1D",
       from_config<GlobalAveragePooling1D, GlobalPooling1DOptions>,
       with_defaults<GlobalAveragePooling1D>,
       steps,
       {}},
      {"GlobalMaxPooling1D",
       from_config<GlobalMaxPooling1D, GlobalPooling1DOptions>,
       with_defaults<GlobalMaxPooling1D>,
       steps,
       {}},
      {"MaxPooling1D",
       from_config<MaxPooling1D, Pooling1DOptions>,
       with_defaults<MaxPooling1D>,
       steps,
       {}},
      {"Resizing", from_config<Resizing, ResizingOptions>, resizing_example, images, {}},
      {"UpSampling1D",
       from_config<UpSampling1D, UpSampling1DOptions>,
       with_defaults<UpSampling1D>,
       steps,
       {}},
      {"UpSampling2D",
       from_config<UpSampling2D, UpSampling2DOptions>,
       up_sampling2d_example,
       images,
       {}},
      {"ZeroPadding1D",
       from_config<ZeroPadding1D, ZeroPadding1DOptions>,
       with_defaults<ZeroPadding1D>,
       steps,
       {}},
      {"ZeroPadding2D",
       from_config<ZeroPadding2D, ZeroPadding2DOptions>,
       with_defaults<ZeroPadding2D>,
       images,
       {}},
  };
}

LayerRows random_rows(const std::vector<Shape>& images) {
  return {
      {"RandomBrightness",
       from_config<RandomBrightness, RandomBrightnessOptions>,
       random_brightness_example,
       images,
       {}},
      {"RandomContrast",
       from_config<RandomContrast, RandomContrastOptions>,
       random_contrast_example,
       images,
       {}},
      {"RandomCrop", from_config<RandomCrop, RandomCropOptions>, random_crop_example, images, {}},
      {"RandomFlip",
       from_config<RandomFlip, RandomFlipOptions>,
       with_defaults<RandomFlip>,
       images,
       {}},
      {"RandomRotation",
       from_config<RandomRotation, RandomRotationOptions>,
       random_rotation_example,
       images,
       {}},
      {"RandomTranslation",
       from_config<RandomTranslation, RandomTranslationOptions>,
       random_translation_example,
       images,
       {}},
      {"RandomZoom", from_config<RandomZoom, RandomZoomOptions>, random_zoom_example, images, {}},
  };
}

}  // namespace

LayerRows image_layer_rows() {
  const std::vector<Shape> images = {{2, 5, 6, 3}}, steps = {{3, 5, 4}};
  LayerRows rows = convolution_rows(images, steps);
  for (const LayerRows& more : {size_rows(images, steps), random_rows(images)})
    rows.insert(rows.end(), more.begin(), more.end());
  return rows;
}

}  // namespace plimsoll
