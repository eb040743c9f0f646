// Dense: activation(x * kernel + bias) over the last axis.
#pragma once

#include "plimsoll/nn/layers/activation_option.h"
#include "plimsoll/nn/layers/layer.h"

namespace plimsoll {

struct DenseOptions {
  int64_t units = 0;
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

void describe(Fields& fields, DenseOptions& options);

struct Dense : Layer {
  explicit Dense(const DenseOptions& options = {});
};

}  // namespace plimsoll
