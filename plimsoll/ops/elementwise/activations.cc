#include "plimsoll/ops/elementwise/activations.h"

#include <fmt/format.h>

#include <cmath>
#include <numbers>
#include <string>

#include "plimsoll/base/error.h"
#include "plimsoll/base/nearest_name.h"
#include "plimsoll/ops/elementwise/elementwise.h"
#include "plimsoll/ops/movement/movement.h"
#include "plimsoll/ops/reduction/reduction.h"

namespace plimsoll {
namespace {

struct Row {
  std::string_view name;
  Tensor (*function)(const Tensor&);
};

constexpr Row kActivations[] = {
    {"celu", [](const Tensor& x) { return celu(x); }},
    {"elu", [](const Tensor& x) { return elu(x); }},
    {"exponential", [](const Tensor& x) { return exp(x); }},
    {"gelu", [](const Tensor& x) { return gelu(x); }},
    {"glu", [](const Tensor& x) { return glu(x); }},
    {"hard_shrink", [](const Tensor& x) { return hard_shrink(x); }},
    {"hard_sigmoid", [](const Tensor& x) { return hard_sigmoid(x); }},
    {"hard_silu", [](const Tensor& x) { return hard_silu(x); }},
    {"hard_swish", [](const Tensor& x) { return hard_silu(x); }},
    {"hard_tanh", [](const Tensor& x) { return hard_tanh(x); }},
    {"leaky_relu", [](const Tensor& x) { return leaky_relu(x); }},
    {"linear", [](const Tensor& x) { return x; }},
    {"log_sigmoid", [](const Tensor& x) { return log_sigmoid(x); }},
    {"log_softmax", [](const Tensor& x) { return log_softmax(x); }},
    {"mish", [](const Tensor& x) { return mish(x); }},
    {"relu", [](const Tensor& x) { return relu(x); }},
    {"relu6", [](const Tensor& x) { return relu6(x); }},
    {"selu", [](const Tensor& x) { return selu(x); }},
    {"sigmoid", [](const Tensor& x) { return sigmoid(x); }},
    {"silu", [](const Tensor& x) { return silu(x); }},
    {"soft_shrink", [](const Tensor& x) { return soft_shrink(x); }},
    {"softmax", [](const Tensor& x) { return softmax(x); }},
    {"softplus", [](const Tensor& x) { return softplus(x); }},
    {"softsign", [](const Tensor& x) { return softsign(x); }},
    {"sparse_plus", [](const Tensor& x) { return sparse_plus(x); }},
    {"sparse_sigmoid", [](const Tensor& x) { return sparse_sigmoid(x); }},
    {"sparsemax", [](const Tensor& x) { return sparsemax(x); }},
    {"squareplus", [](const Tensor& x) { return squareplus(x); }},
    {"swish", [](const Tensor& x) { return silu(x); }},
    {"tanh", [](const Tensor& x) { return tanh(x); }},
    {"tanh_shrink", [](const Tensor& x) { return tanh_shrink(x); }},
};

}  // namespace

Tensor relu(const Operand& x, const ReluOptions& options) {
  const auto& [slope, most, bend] = options;
  if (slope != 0 && !most && bend == 0) return leaky_relu(x, slope);
  Tensor y = bend == 0 ? relu(x) : select(greater(x, bend), x, 0);
  if (most) y = *most == 6 && bend == 0 ? relu6(x) : clip(y, 0, *most);
  return slope == 0 ? y : y - relu(subtract(bend, x)) * slope;
}

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

Tensor celu(const Operand& x, double alpha) {
  return maximum(x, 0) + expm1(minimum(x, 0) / alpha) * alpha;
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

Tensor hard_tanh(const Operand& x) {
  return clip(x, -1, 1);
}

Tensor mish(const Operand& x) {
  return multiply(x, tanh(softplus(x)));
}

Tensor log_sigmoid(const Operand& x) {
  return negative(softplus(negative(x)));
}

Tensor squareplus(const Operand& x, double b) {
  return add(x, sqrt(square(x) + b)) * 0.5;
}

Tensor sparse_plus(const Operand& x) {
  const Tensor curve = square(add(x, 1)) * 0.25;
  return select(less_equal(x, -1), 0, select(less(x, 1), curve, x));
}

Tensor sparse_sigmoid(const Operand& x) {
  return select(less_equal(x, -1), 0, select(greater_equal(x, 1), 1, add(x, 1) * 0.5));
}

Tensor tanh_shrink(const Operand& x) {
  return subtract(x, tanh(x));
}

Tensor hard_shrink(const Operand& x, double threshold) {
  return select(less_equal(abs(x), threshold), 0, x);  // NaN stays
}

Tensor soft_shrink(const Operand& x, double threshold) {
  return select(less_equal(abs(x), threshold), 0, subtract(x, sign(x) * threshold));
}

Tensor threshold(const Operand& x, double threshold, double default_value) {
  return select(greater(x, threshold), x, default_value);
}

Tensor glu(const Operand& x, int axis) {
  const Shape& shape = x.tensor.shape();
  axis = normalize_axis(axis, shape.rank(), "glu");
  if (shape[axis] % 2 != 0)
    throw InvalidArgument(fmt::format("glu: axis {} must be of even length to be halved, found {}",
                                      axis, shape.to_string()));
  std::vector<int64_t> begin(static_cast<size_t>(shape.rank()), 0);
  std::vector<int64_t> size(begin.size(), -1);
  size[static_cast<size_t>(axis)] = shape[axis] / 2;
  const Tensor value = slice(x, begin, size);
  begin[static_cast<size_t>(axis)] = shape[axis] / 2;
  return value * sigmoid(slice(x, begin, size));
}

// An element is in the support if 1 + k * x > the sum of the k elements that are not less. Keras
// takes for the threshold the sums of all of the support, not only the last one, so that its rows
// do not add up to 1 if more than one element is left. This does the same, for the sake of Keras's
// models.
Tensor sparsemax(const Operand& x, int axis) {
  axis = normalize_axis(axis, x.tensor.rank(), "sparsemax");
  const Tensor one = expand_dims(x, axis + 1), other = expand_dims(x, axis);
  const Tensor not_less = cast(greater_equal(other, one), DType::float32);
  const Tensor count = sum(not_less, {axis + 1}), sums = sum(not_less * other, {axis + 1});
  const Tensor support = cast(greater(multiply(x, count) + 1, sums), DType::float32);
  const Tensor total = sum(sums * support, {axis}, true) - 1;
  return relu(subtract(x, total / sum(support, {axis}, true)));
}

ActivationFunction activation(std::string_view name) {
  if (name.empty()) name = "linear";
  for (const Row& row : kActivations)
    if (row.name == name) return row.function;
  std::vector<std::string> known;
  for (const Row& row : kActivations) known.emplace_back(row.name);
  throw InvalidArgument(not_known("activation:", name, known));
}

std::vector<std::string_view> activation_names() {
  std::vector<std::string_view> names;
  for (const Row& row : kActivations) names.push_back(row.name);
  return names;
}

}  // namespace plimsoll
