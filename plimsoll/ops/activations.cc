#include "plimsoll/ops/activations.h"

#include <cmath>
#include <numbers>
#include <string>

#include "plimsoll/base/error.h"
#include "plimsoll/ops/elementwise.h"
#include "plimsoll/ops/reduction.h"

namespace plimsoll {
namespace {

struct Row {
  std::string_view name;
  Tensor (*function)(const Tensor&);
};

constexpr Row kActivations[] = {
    {"elu", [](const Tensor& x) { return elu(x); }},
    {"exponential", [](const Tensor& x) { return exp(x); }},
    {"gelu", [](const Tensor& x) { return gelu(x); }},
    {"hard_sigmoid", [](const Tensor& x) { return hard_sigmoid(x); }},
    {"hard_silu", [](const Tensor& x) { return hard_silu(x); }},
    {"hard_swish", [](const Tensor& x) { return hard_silu(x); }},
    {"leaky_relu", [](const Tensor& x) { return leaky_relu(x); }},
    {"linear", [](const Tensor& x) { return x; }},
    {"log_softmax", [](const Tensor& x) { return log_softmax(x); }},
    {"mish", [](const Tensor& x) { return mish(x); }},
    {"relu", [](const Tensor& x) { return relu(x); }},
    {"relu6", [](const Tensor& x) { return relu6(x); }},
    {"selu", [](const Tensor& x) { return selu(x); }},
    {"sigmoid", [](const Tensor& x) { return sigmoid(x); }},
    {"silu", [](const Tensor& x) { return silu(x); }},
    {"softmax", [](const Tensor& x) { return softmax(x); }},
    {"softplus", [](const Tensor& x) { return softplus(x); }},
    {"softsign", [](const Tensor& x) { return softsign(x); }},
    {"swish", [](const Tensor& x) { return silu(x); }},
    {"tanh", [](const Tensor& x) { return tanh(x); }},
};

}  // namespace

// The gradient is 0 at both ends, as TensorFlow.
Tensor relu6(const Operand& x) {
  return select(greater_equal(x, 6), 6, relu(x));
}

Tensor leaky_relu(const Operand& x, double negative_slope) {
  return select(greater(x, 0), x, multiply(x, negative_slope));
}

Tensor elu(const Operand& x, double alpha) {
  const Tensor below = expm1(minimum(x, 0));  // where x > 0 it would overflow
  return select(greater_equal(x, 0), x, alpha == 1 ? below : below * alpha);
}

Tensor selu(const Operand& x) {
  constexpr double kAlpha = 1.6732632423543772848170429916717;
  constexpr double kScale = 1.0507009873554804934193349852946;
  return elu(x, kAlpha) * kScale;
}

Tensor gelu(const Operand& x, bool approximate) {
  if (!approximate) return multiply(x, 0.5) * (erf(multiply(x, std::numbers::sqrt2 / 2)) + 1);
  const double scale = std::sqrt(2 / std::numbers::pi);
  const Tensor inner = multiply(x, scale) * (square(x) * 0.044715 + 1);
  return multiply(x, 0.5) * (tanh(inner) + 1);
}

Tensor silu(const Operand& x) {
  return multiply(x, sigmoid(x));
}

Tensor softsign(const Operand& x) {
  return divide(x, abs(x) + 1);
}

Tensor hard_sigmoid(const Operand& x) {
  return relu6(add(x, 3)) * (1.0 / 6);
}

Tensor hard_silu(const Operand& x) {
  return multiply(x, hard_sigmoid(x));
}

Tensor mish(const Operand& x) {
  return multiply(x, tanh(softplus(x)));
}

ActivationFunction activation(std::string_view name) {
  if (name.empty()) name = "linear";
  for (const Row& row : kActivations)
    if (row.name == name) return row.function;
  std::string known;
  for (const Row& row : kActivations) known += (known.empty() ? "" : ", ") + std::string(row.name);
  throw InvalidArgument("activation: '" + std::string(name) + "' is not known; known are " + known);
}

std::vector<std::string_view> activation_names() {
  std::vector<std::string_view> names;
  for (const Row& row : kActivations) names.push_back(row.name);
  return names;
}

}  // namespace plimsoll
