// Conv1D: activation(convolution + bias) over the steps of (batch, steps, channels).
#pragma once

#include "plimsoll/nn/layers/activation_option.h"
#include "plimsoll/nn/layers/layer.h"

namespace plimsoll {

struct Conv1DOptions {
  int64_t filters = 0;
  int64_t kernel_size = 0;
  int64_t strides = 1;
  std::string padding = "valid";  // or "same", or "causal": no output sees later steps
  int64_t dilation_rate = 1;
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

void describe(Fields& fields, Conv1DOptions& options);

struct Conv1D : Layer {
  explicit Conv1D(const Conv1DOptions& options = {});
};

}  // namespace plimsoll
