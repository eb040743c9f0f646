// Depthwise convolutions: each channel is convolved by filters of its own.
#pragma once

#include "plimsoll/nn/layers/activation_option.h"
#include "plimsoll/nn/layers/layer.h"
#include "plimsoll/nn/size2d.h"

namespace plimsoll {

struct DepthwiseConv2DOptions {
  Size2D kernel_size = 0;
  Size2D strides = 1;
  std::string padding = "valid";  // or "same"
  int64_t depth_multiplier = 1;   // filters per channel
  Size2D dilation_rate = 1;
  ActivationOption activation = {};
  bool use_bias = true;
  Initializer depthwise_initializer = "glorot_uniform";
  Initializer bias_initializer = "zeros";
  Regularizer depthwise_regularizer = {};
  Regularizer bias_regularizer = {};
  Regularizer activity_regularizer = {};
  Constraint depthwise_constraint = {};
  Constraint bias_constraint = {};
  std::string name = {};
  bool trainable = true;
};

void describe(Fields& fields, DepthwiseConv2DOptions& options);

// (batch, height, width, channels)
struct DepthwiseConv2D : Layer {
  explicit DepthwiseConv2D(const DepthwiseConv2DOptions& options = {});
};

struct DepthwiseConv1DOptions {
  int64_t kernel_size = 0;
  int64_t strides = 1;
  std::string padding = "valid";
  int64_t depth_multiplier = 1;
  int64_t dilation_rate = 1;
  ActivationOption activation = {};
  bool use_bias = true;
  Initializer depthwise_initializer = "glorot_uniform";
  Initializer bias_initializer = "zeros";
  Regularizer depthwise_regularizer = {};
  Regularizer bias_regularizer = {};
  Regularizer activity_regularizer = {};
  Constraint depthwise_constraint = {};
  Constraint bias_constraint = {};
  std::string name = {};
  bool trainable = true;
};

void describe(Fields& fields, DepthwiseConv1DOptions& options);

// (batch, steps, channels)
struct DepthwiseConv1D : Layer {
  explicit DepthwiseConv1D(const DepthwiseConv1DOptions& options = {});
};

}  // namespace plimsoll
