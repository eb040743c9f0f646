// Keras's activation functions, composed of elementwise ops (which the engine fuses); those that
// are ops themselves (relu, tanh, sigmoid, softplus, softmax, …) are declared with those.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "plimsoll/graph/operand.h"

namespace plimsoll {

// 0 up to `threshold`, then x, at most `max_value`; below, negative_slope * (x - threshold).
struct ReluOptions {
  double negative_slope = 0;
  std::optional<double> max_value = {};
  double threshold = 0;
};
Tensor relu(const Operand& x, const ReluOptions& options);
Tensor relu6(const Operand& x);
Tensor leaky_relu(const Operand& x, double negative_slope = 0.2);
Tensor elu(const Operand& x, double alpha = 1.0);
Tensor selu(const Operand& x);
Tensor celu(const Operand& x, double alpha = 1.0);
Tensor gelu(const Operand& x, bool approximate = false);
Tensor silu(const Operand& x);
Tensor softsign(const Operand& x);
Tensor hard_sigmoid(const Operand& x);
Tensor hard_silu(const Operand& x);
Tensor hard_tanh(const Operand& x);
Tensor mish(const Operand& x);
Tensor log_sigmoid(const Operand& x);
Tensor squareplus(const Operand& x, double b = 4);
Tensor sparse_plus(const Operand& x);
Tensor sparse_sigmoid(const Operand& x);
Tensor tanh_shrink(const Operand& x);
Tensor hard_shrink(const Operand& x, double threshold = 0.5);
Tensor soft_shrink(const Operand& x, double threshold = 0.5);
Tensor threshold(const Operand& x, double threshold, double default_value);
// The first half along the axis, gated by the sigmoid of the second.
Tensor glu(const Operand& x, int axis = -1);
// As Keras's sparsemax. Compares all pairs along the axis.
Tensor sparsemax(const Operand& x, int axis = -1);

using ActivationFunction = std::function<Tensor(const Tensor&)>;

// By Keras's name ("relu", "swish" is "silu", …; "" is "linear"); InvalidArgument lists the known
// names.
ActivationFunction activation(std::string_view name);
std::vector<std::string_view> activation_names();

}  // namespace plimsoll
