// Conv2D: activation(convolution + bias) of images (batch, height, width, channels).
#pragma once

#include "plimsoll/nn/layers/activation_option.h"
#include "plimsoll/nn/layers/layer.h"
#include "plimsoll/nn/size2d.h"

namespace plimsoll {

struct Conv2DOptions {
  int64_t filters = 0;
  Size2D kernel_size = 0;
  Size2D strides = 1;
  std::string padding = "valid";  // or "same"
  Size2D dilation_rate = 1;
  int64_t groups = 1;
  ActivationOption activation = {};
  bool use_bias = true;
  Initializer kernel_initializer = "glorot_uniform";
  Initializer bias_initializer = "zeros";
  Regularizer kernel_regularizer = {};
  Regularizer bias_regularizer = {};
  Regularizer activity_regularizer = {};
  Constraint kernel_constraint = {};
  Constraint bias_constraint = {};
  std::string name = {};
  bool trainable = true;
};

void describe(Fields& fields, Conv2DOptions& options);

struct Conv2D : Layer {
  explicit Conv2D(const Conv2DOptions& options = {});
};

}  // namespace plimsoll
