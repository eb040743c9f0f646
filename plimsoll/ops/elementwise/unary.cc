#include <cmath>
#include <numbers>

#include "plimsoll/graph/node.h"
#include "plimsoll/ops/elementwise/elementwise.h"
#include "plimsoll/ops/elementwise/elementwise_op.h"
#include "plimsoll/ops/elementwise/integer_op.h"

namespace plimsoll {
namespace {

using kernels::Function;

// The gradient of x, from x, y = f(x) and the gradient of y. Null: none flows.
using UnaryGradient = Tensor (*)(const Tensor& x, const Tensor& y, const Tensor& dy);

class Unary final : public FunctionOp {
 public:
  Unary(Function function, UnaryGradient rule) : function_(function), rule_(rule) {}

  void describe(Attributes&) const override {
    // The function is the op's name; the rule is used up when a gradient is recorded.
    [[maybe_unused]] const auto& [function, rule] = *this;
  }
  Function function() const override { return function_; }

  Tensors gradient(const Node& node, const Tensors& dy) const override {
    if (rule_ == nullptr) return {Tensor()};
    return {rule_(node.input(0), node.output(0), dy[0])};
  }

 private:
  Function function_;
  UnaryGradient rule_;
};

Tensor unary(const Operand& x, Function function, UnaryGradient rule) {
  return apply(std::make_shared<Unary>(function, rule), {x.tensor}, x.where);
}

// For functions that integers have too.
Tensor exact_unary(const Operand& x, Function function, UnaryGradient rule) {
  if (is_integer(x.tensor.dtype())) return integer_op(function, {x.tensor}, x.where);
  return unary(x, function, rule);
}

}  // namespace

Tensor negative(const Operand& x) {
  return exact_unary(x, Function::negative,
                     [](const Tensor&, const Tensor&, const Tensor& dy) { return -dy; });
}

Tensor abs(const Operand& x) {
  return exact_unary(x, Function::abs, [](const Tensor& in, const Tensor&, const Tensor& dy) {
    return dy * sign(in);
  });
}

Tensor sign(const Operand& x) {
  return exact_unary(x, Function::sign, nullptr);
}

Tensor square(const Operand& x) {
  return exact_unary(x, Function::square, [](const Tensor& in, const Tensor&, const Tensor& dy) {
    return dy * (in * 2);
  });
}

Tensor sqrt(const Operand& x) {
  return unary(x, Function::sqrt,
               [](const Tensor&, const Tensor& y, const Tensor& dy) { return dy * 0.5 / y; });
}

Tensor rsqrt(const Operand& x) {
  return unary(x, Function::rsqrt, [](const Tensor& in, const Tensor& y, const Tensor& dy) {
    return dy * -0.5 * y / in;
  });
}

Tensor reciprocal(const Operand& x) {
  return unary(x, Function::reciprocal,
               [](const Tensor&, const Tensor& y, const Tensor& dy) { return -dy * square(y); });
}

Tensor exp(const Operand& x) {
  return unary(x, Function::exp,
               [](const Tensor&, const Tensor& y, const Tensor& dy) { return dy * y; });
}

Tensor expm1(const Operand& x) {
  return unary(x, Function::expm1,
               [](const Tensor&, const Tensor& y, const Tensor& dy) { return dy * (y + 1); });
}

Tensor log(const Operand& x) {
  return unary(x, Function::log,
               [](const Tensor& in, const Tensor&, const Tensor& dy) { return dy / in; });
}

Tensor log1p(const Operand& x) {
  return unary(x, Function::log1p,
               [](const Tensor& in, const Tensor&, const Tensor& dy) { return dy / (in + 1); });
}

Tensor sin(const Operand& x) {
  return unary(x, Function::sin,
               [](const Tensor& in, const Tensor&, const Tensor& dy) { return dy * cos(in); });
}

Tensor cos(const Operand& x) {
  return unary(x, Function::cos,
               [](const Tensor& in, const Tensor&, const Tensor& dy) { return -dy * sin(in); });
}

Tensor tanh(const Operand& x) {
  return unary(x, Function::tanh, [](const Tensor&, const Tensor& y, const Tensor& dy) {
    return dy * (1 - square(y));
  });
}

Tensor sigmoid(const Operand& x) {
  return unary(x, Function::sigmoid,
               [](const Tensor&, const Tensor& y, const Tensor& dy) { return dy * y * (1 - y); });
}

Tensor softplus(const Operand& x) {
  return unary(x, Function::softplus,
               [](const Tensor& in, const Tensor&, const Tensor& dy) { return dy * sigmoid(in); });
}

Tensor erf(const Operand& x) {
  return unary(x, Function::erf, [](const Tensor& in, const Tensor&, const Tensor& dy) {
    return dy * (2 * std::numbers::inv_sqrtpi) * exp(-square(in));
  });
}

Tensor relu(const Operand& x) {
  return unary(x, Function::relu, [](const Tensor&, const Tensor& y, const Tensor& dy) {
    return relu_gradient(y, dy);
  });
}

Tensor floor(const Operand& x) {
  return unary(x, Function::floor, nullptr);
}

Tensor ceil(const Operand& x) {
  return unary(x, Function::ceil, nullptr);
}

Tensor round(const Operand& x) {
  return unary(x, Function::round, nullptr);
}

}  // namespace plimsoll
