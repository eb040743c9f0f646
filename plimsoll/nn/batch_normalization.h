// BatchNormalization: each channel (the last axis) gets mean beta and standard deviation gamma.
// Training normalises by the batch and keeps moving statistics; inference, and a frozen layer
// (trainable = false), normalise by those and leave them alone.
#pragma once

#include "plimsoll/nn/layer.h"

namespace plimsoll {

struct BatchNormalizationOptions {
  int axis = -1;
  double momentum = 0.99;
  double epsilon = 1e-3;
  bool center = true;
  bool scale = true;
  Initializer beta_initializer = "zeros";
  Initializer gamma_initializer = "ones";
  Initializer moving_mean_initializer = "zeros";
  Initializer moving_variance_initializer = "ones";
  Regularizer beta_regularizer = {};
  Regularizer gamma_regularizer = {};
  std::string name = {};
  bool trainable = true;
};

struct BatchNormalization : Layer {
  explicit BatchNormalization(const BatchNormalizationOptions& options = {});
};

}  // namespace plimsoll
