// ActivationOption: the activation of a layer, which is a function by Keras's name or a layer:
//
//   Dense({.units = 8, .activation = "relu"})
//   Dense({.units = 8, .activation = LeakyReLU({.negative_slope = 0.1})})
#pragma once

#include <string>

#include "plimsoll/nn/layers/layer.h"
#include "plimsoll/ops/elementwise/activations.h"

namespace plimsoll {

class ActivationOption {
 public:
  ActivationOption() = default;  // linear
  // An unknown name is refused by the layer that is made with it.
  ActivationOption(const char* name) : name_(name) {}
  ActivationOption(std::string name) : name_(std::move(name)) {}
  ActivationOption(const Layer& layer) : layer_(layer) {}

  // "" where it is a layer.
  const std::string& name() const { return name_; }
  bool is_layer() const { return layer_.body() != nullptr; }
  const Layer& layer() const { return layer_; }

  // The function that a layer applies to its outputs.
  ActivationFunction function() const;

 private:
  friend class Fields;

  std::string name_;
  Layer layer_;
};

}  // namespace plimsoll
