// Conv3D: activation(convolution + bias) of volumes (batch, depth, height, width, channels).
#pragma once

#include "plimsoll/nn/layers/activation_option.h"
#include "plimsoll/nn/layers/layer.h"
#include "plimsoll/nn/size3d.h"

namespace plimsoll {

struct Conv3DOptions {
  int64_t filters = 0;
  Size3D kernel_size = 0;
  Size3D strides = 1;
  std::string padding = "valid";  // or "same"
  Size3D dilation_rate = 1;
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

void describe(Fields& fields, Conv3DOptions& options);

struct Conv3D : Layer {
  explicit Conv3D(const Conv3DOptions& options = {});
};

}  // namespace plimsoll
