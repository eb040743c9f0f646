#include "plimsoll/nn/layers/activation_option.h"

namespace plimsoll {

ActivationFunction ActivationOption::function() const {
  if (!is_layer()) return activation(name_);
  return [layer = layer_](const Tensor& x) { return layer(x); };
}

}  // namespace plimsoll
