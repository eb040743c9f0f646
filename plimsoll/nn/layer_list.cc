#include "plimsoll/nn/layer_list.h"

#include "plimsoll/nn/activation.h"
#include "plimsoll/nn/batch_normalization.h"
#include "plimsoll/nn/conv2d.h"
#include "plimsoll/nn/dense.h"
#include "plimsoll/nn/dropout.h"
#include "plimsoll/nn/merging.h"
#include "plimsoll/nn/pooling2d.h"
#include "plimsoll/nn/rescaling.h"
#include "plimsoll/nn/reshaping.h"

namespace plimsoll {
namespace {

template <class Kind>
Layer with_defaults() {
  return Kind();
}

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

const std::vector<LayerKind>& kinds() {
  static const std::vector<Shape> images = {{2, 5, 6, 3}}, rows = {{4, 6}};
  static const std::vector<Shape> pair = {{3, 4}, {3, 4}}, three = {{3, 4}, {3, 4}, {3, 4}};
  static const std::vector<LayerKind> rows_of_list = {
      {"Activation", activation_example, rows, {}},
      {"Add", with_defaults<Add>, three, {}},
      {"Average", with_defaults<Average>, three, {}},
      {"AveragePooling2D", with_defaults<AveragePooling2D>, images, {}},
      {"BatchNormalization",
       with_defaults<BatchNormalization>,
       images,
       {"gamma", "beta", "moving_mean", "moving_variance"}},
      {"Concatenate", with_defaults<Concatenate>, pair, {}},
      {"Conv2D", conv2d_example, images, {"kernel", "bias"}},
      {"Dense", dense_example, rows, {"kernel", "bias"}},
      {"Dropout", dropout_example, rows, {}},
      {"Flatten", with_defaults<Flatten>, images, {}},
      {"GlobalAveragePooling2D", with_defaults<GlobalAveragePooling2D>, images, {}},
      {"GlobalMaxPooling2D", with_defaults<GlobalMaxPooling2D>, images, {}},
      {"MaxPooling2D", with_defaults<MaxPooling2D>, images, {}},
      {"Maximum", with_defaults<Maximum>, three, {}},
      {"Minimum", with_defaults<Minimum>, three, {}},
      {"Multiply", with_defaults<Multiply>, three, {}},
      {"Rescaling", rescaling_example, rows, {}},
      {"Reshape", reshape_example, rows, {}},
      {"Subtract", with_defaults<Subtract>, pair, {}},
  };
  return rows_of_list;
}

}  // namespace

std::span<const LayerKind> layer_list() {
  return kinds();
}

}  // namespace plimsoll
