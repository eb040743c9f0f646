#include "plimsoll/nn/layers/layer_list.h"

#include <algorithm>

#include "plimsoll/nn/convolution/conv2d.h"
#include "plimsoll/nn/convolution/pooling2d.h"
#include "plimsoll/nn/images/rescaling.h"
#include "plimsoll/nn/layers/activation.h"
#include "plimsoll/nn/layers/batch_normalization.h"
#include "plimsoll/nn/layers/dense.h"
#include "plimsoll/nn/layers/dropout.h"
#include "plimsoll/nn/layers/layer_rows.h"
#include "plimsoll/nn/layers/merging.h"
#include "plimsoll/nn/layers/reshaping.h"

namespace plimsoll {
namespace {

Layer activation_example() {
  return Activation({.activation = "relu"});
}
Layer conv2d_example() {
  return Conv2D({.filters = 4, .kernel_size = {3, 2}, .padding = "same", .activation = "relu"});
}
Layer dense_example() {
  return Dense({.units = 5, .activation = "tanh"});
}
Layer dropout_example() {
  return Dropout({.rate = 0.3});
}
Layer rescaling_example() {
  return Rescaling({.scale = 0.5, .offset = 1});
}
Layer reshape_example() {
  return Reshape({.target_shape = {-1, 2}});
}

LayerRows basic_layer_rows() {
  static const std::vector<Shape> images = {{2, 5, 6, 3}}, rows = {{4, 6}};
  static const std::vector<Shape> pair = {{3, 4}, {3, 4}}, three = {{3, 4}, {3, 4}, {3, 4}};
  return {
      {"Activation", from_config<Activation, ActivationOptions>, activation_example, rows, {}},
      {"Add", from_config<Add, MergeOptions>, with_defaults<Add>, three, {}},
      {"Average", from_config<Average, MergeOptions>, with_defaults<Average>, three, {}},
      {"AveragePooling2D",
       from_config<AveragePooling2D, Pooling2DOptions>,
       with_defaults<AveragePooling2D>,
       images,
       {}},
      {"BatchNormalization",
       from_config<BatchNormalization, BatchNormalizationOptions>,
       with_defaults<BatchNormalization>,
       images,
       {"gamma", "beta", "moving_mean", "moving_variance"}},
      {"Concatenate",
       from_config<Concatenate, ConcatenateOptions>,
       with_defaults<Concatenate>,
       pair,
       {}},
      {"Conv2D", from_config<Conv2D, Conv2DOptions>, conv2d_example, images, {"kernel", "bias"}},
      {"Dense", from_config<Dense, DenseOptions>, dense_example, rows, {"kernel", "bias"}},
      {"Dropout", from_config<Dropout, DropoutOptions>, dropout_example, rows, {}},
      {"Flatten", from_config<Flatten, FlattenOptions>, with_defaults<Flatten>, images, {}},
      {"GlobalAveragePooling2D",
       from_config<GlobalAveragePooling2D, GlobalPooling2DOptions>,
       with_defaults<GlobalAveragePooling2D>,
       images,
       {}},
      {"GlobalMaxPooling2D",
       from_config<GlobalMaxPooling2D, GlobalPooling2DOptions>,
       with_defaults<GlobalMaxPooling2D>,
       images,
       {}},
      {"MaxPooling2D",
       from_config<MaxPooling2D, Pooling2DOptions>,
       with_defaults<MaxPooling2D>,
       images,
       {}},
      {"Maximum", from_config<Maximum, MergeOptions>, with_defaults<Maximum>, three, {}},
      {"Minimum", from_config<Minimum, MergeOptions>, with_defaults<Minimum>, three, {}},
      {"Multiply", from_config<Multiply, MergeOptions>, with_defaults<Multiply>, three, {}},
      {"Rescaling", from_config<Rescaling, RescalingOptions>, rescaling_example, rows, {}},
      {"Reshape", from_config<Reshape, ReshapeOptions>, reshape_example, rows, {}},
      {"Subtract", from_config<Subtract, MergeOptions>, with_defaults<Subtract>, pair, {}},
  };
}

// Sorted by name.
LayerRows all_rows() {
  LayerRows rows;
  for (const LayerRows& family :
       {basic_layer_rows(), attention_layer_rows(), augmentation_layer_rows(),
        elementwise_layer_rows(), image_layer_rows(), inference_only_layer_rows(),
        preprocessing_layer_rows(), recurrent_layer_rows(), volume_layer_rows()})
    rows.insert(rows.end(), family.begin(), family.end());
  std::ranges::sort(rows, {}, &LayerKind::class_name);
  return rows;
}

}  // namespace

std::span<const LayerKind> layer_list() {
  static const LayerRows rows = all_rows();
  return rows;
}

const LayerKind* find_layer(std::string_view class_name) {
  const auto found = std::ranges::find_if(layer_list(), [&](const LayerKind& kind) {
    return kind.class_name == class_name || (!class_name.empty() && kind.saved_as == class_name);
  });
  return found == layer_list().end() ? nullptr : &*found;
}

}  // namespace plimsoll
