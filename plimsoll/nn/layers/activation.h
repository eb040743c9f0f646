// Activation: one of Keras's functions as a layer.
#pragma once

#include "plimsoll/nn/layers/activation_option.h"
#include "plimsoll/nn/layers/layer.h"

namespace plimsoll {

struct ActivationOptions {
  ActivationOption activation = {};
  std::string name = {};
  bool trainable = true;
};

void describe(Fields& fields, ActivationOptions& options);

struct Activation : Layer {
  explicit Activation(const ActivationOptions& options = {});
};

}  // namespace plimsoll
