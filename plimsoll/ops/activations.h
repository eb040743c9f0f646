// Keras's activation functions, composed of elementwise ops (which the engine fuses); those that
// are ops themselves (relu, tanh, sigmoid, softplus, softmax, …) are declared with those.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "plimsoll/graph/operand.h"

namespace plimsoll {

Tensor relu6(const Operand& x);
Tensor leaky_relu(const Operand& x, double negative_slope = 0.2);
Tensor elu(const Operand& x, double alpha = 1.0);
Tensor selu(const Operand& x);
Tensor gelu(const Operand& x, bool approximate = false);
Tensor silu(const Operand& x);
Tensor softsign(const Operand& x);
Tensor hard_sigmoid(const Operand& x);
Tensor hard_silu(const Operand& x);
Tensor mish(const Operand& x);

using ActivationFunction = std::function<Tensor(const Tensor&)>;

// By Keras's name ("relu", "swish" is "silu", …; "" is "linear"); InvalidArgument lists the known.
ActivationFunction activation(std::string_view name);
std::vector<std::string_view> activation_names();

}  // namespace plimsoll
