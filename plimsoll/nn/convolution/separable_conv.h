// Separable convolutions: a depthwise convolution, then one of 1 x 1 that mixes the channels.
#pragma once

#include "plimsoll/nn/layers/activation_option.h"
#include "plimsoll/nn/layers/layer.h"
#include "plimsoll/nn/size2d.h"

namespace plimsoll {

struct SeparableConv2DOptions {
  int64_t filters = 0;
  Size2D kernel_size = 0;
  Size2D strides = 1;
  std::string padding = "valid";  // or "same"
  Size2D dilation_rate = 1;
  int64_t depth_multiplier = 1;  // depthwise filters per channel
  ActivationOption activation = {};
  bool use_bias = true;
  Initializer depthwise_initializer = "glorot_uniform";
  Initializer pointwise_initializer = "glorot_uniform";
  Initializer bias_initializer = "zeros";
  Regularizer depthwise_regularizer = {};
  Regularizer pointwise_regularizer = {};
  Regularizer bias_regularizer = {};
  Regularizer activity_regularizer = {};
  Constraint depthwise_constraint = {};
  Constraint pointwise_constraint = {};
  Constraint bias_constraint = {};
  std::string name = {};
  bool trainable = true;
};

void describe(Fields& fields, SeparableConv2DOptions& options);

// (batch, height, width, channels)
struct SeparableConv2D : Layer {
  explicit SeparableConv2D(const SeparableConv2DOptions& options = {});
};

struct SeparableConv1DOptions {
  int64_t filters = 0;
  int64_t kernel_size = 0;
  int64_t strides = 1;
  std::string padding = "valid";
  int64_t dilation_rate = 1;
  int64_t depth_multiplier = 1;
  ActivationOption activation = {};
  bool use_bias = true;
  Initializer depthwise_initializer = "glorot_uniform";
  Initializer pointwise_initializer = "glorot_uniform";
  Initializer bias_initializer = "zeros";
  Regularizer depthwise_regularizer = {};
  Regularizer pointwise_regularizer = {};
  Regularizer bias_regularizer = {};
  Regularizer activity_regularizer = {};
  Constraint depthwise_constraint = {};
  Constraint pointwise_constraint = {};
  Constraint bias_constraint = {};
  std::string name = {};
  bool trainable = true;
};

void describe(Fields& fields, SeparableConv1DOptions& options);

// (batch, steps, channels)
struct SeparableConv1D : Layer {
  explicit SeparableConv1D(const SeparableConv1DOptions& options = {});
};

}  // namespace plimsoll
