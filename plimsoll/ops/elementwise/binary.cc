#include "plimsoll/graph/gradient.h"
#include "plimsoll/graph/node.h"
#include "plimsoll/ops/elementwise/elementwise.h"
#include "plimsoll/ops/elementwise/elementwise_op.h"
#include "plimsoll/ops/elementwise/integer_op.h"
#include "plimsoll/ops/movement/movement.h"

namespace plimsoll {
namespace {

using kernels::Function;

// The gradient of one operand at the output's shape, from the operands, y and the gradient of y.
using BinaryGradient = Tensor (*)(const Tensor& a, const Tensor& b, const Tensor& y,
                                  const Tensor& dy);
struct GradientRules {
  BinaryGradient of_a, of_b;
};

class Binary final : public FunctionOp {
 public:
  Binary(Function function, GradientRules rules) : function_(function), rules_(rules) {}

  void describe(Attributes&) const override {
    // The function is the op's name; the rules are used up when a gradient is recorded.
    [[maybe_unused]] const auto& [function, rules] = *this;
  }
  Function function() const override { return function_; }

  Tensors gradient(const Node& node, const Tensors& dy) const override {
    const Tensor a = node.input(0), b = node.input(1), y = node.output(0);
    Tensors gradients(2);
    if (rules_.of_a) gradients[0] = reduce_gradient(rules_.of_a(a, b, y, dy[0]), a);
    if (rules_.of_b) gradients[1] = reduce_gradient(rules_.of_b(a, b, y, dy[0]), b);
    return gradients;
  }

 private:
  Function function_;
  GradientRules rules_;  // null: that gradient cannot be requested
};

Tensor binary(const Operand& a, const Operand& b, Function function, GradientRules rules) {
  const auto [left, right] = matched(a, b);
  if (is_integer(left.dtype()) && is_integer(right.dtype()))
    return integer_op(function, {left, right}, a.where);
  if (a.is_number) rules.of_a = nullptr;
  if (b.is_number) rules.of_b = nullptr;
  return apply(std::make_shared<Binary>(function, rules), {left, right}, a.where);
}

// dy where `wins`, half of it where a equals b, else 0.
Tensor share_of_tie(const Tensor& wins, const Tensor& a, const Tensor& b, const Tensor& dy) {
  return select(wins, dy, select(equal(a, b), dy * 0.5, 0));
}

}  // namespace

Tensor add(const Operand& a, const Operand& b) {
  const BinaryGradient same = [](const Tensor&, const Tensor&, const Tensor&, const Tensor& dy) {
    return dy;
  };
  return binary(a, b, Function::add, {same, same});
}

Tensor subtract(const Operand& a, const Operand& b) {
  return binary(
      a, b, Function::subtract,
      {[](const Tensor&, const Tensor&, const Tensor&, const Tensor& dy) { return dy; },
       [](const Tensor&, const Tensor&, const Tensor&, const Tensor& dy) { return -dy; }});
}

Tensor multiply(const Operand& a, const Operand& b) {
  return binary(
      a, b, Function::multiply,
      {[](const Tensor&, const Tensor& r, const Tensor&, const Tensor& dy) { return dy * r; },
       [](const Tensor& l, const Tensor&, const Tensor&, const Tensor& dy) { return dy * l; }});
}

Tensor divide(const Operand& a, const Operand& b) {
  return binary(
      a, b, Function::divide,
      {[](const Tensor&, const Tensor& r, const Tensor&, const Tensor& dy) { return dy / r; },
       [](const Tensor&, const Tensor& r, const Tensor& y, const Tensor& dy) {
         return -dy * y / r;
       }});
}

// As TensorFlow, the exponent's gradient is 0 where the base is not positive.
Tensor power(const Operand& a, const Operand& b) {
  if (b.is_number && a.tensor.dtype() == DType::float32) {
    const double exponent = b.tensor.item();
    if (exponent == 2) return square(a);
    if (exponent == 0.5) return sqrt(a);
    if (exponent == -0.5) return rsqrt(a);
    if (exponent == -1) return reciprocal(a);
    if (exponent == 1) return a.tensor;
  }
  return binary(a, b, Function::power,
                {[](const Tensor& l, const Tensor& r, const Tensor&, const Tensor& dy) {
                   return dy * r * power(l, r - 1);
                 },
                 [](const Tensor& l, const Tensor&, const Tensor& y, const Tensor& dy) {
                   const Tensor positive = greater(l, 0);
                   return select(positive, dy * y * log(select(positive, l, 1)), 0);
                 }});
}

Tensor maximum(const Operand& a, const Operand& b) {
  return binary(a, b, Function::maximum,
                {[](const Tensor& l, const Tensor& r, const Tensor&, const Tensor& dy) {
                   return share_of_tie(greater(l, r), l, r, dy);
                 },
                 [](const Tensor& l, const Tensor& r, const Tensor&, const Tensor& dy) {
                   return share_of_tie(less(l, r), l, r, dy);
                 }});
}

Tensor minimum(const Operand& a, const Operand& b) {
  return binary(a, b, Function::minimum,
                {[](const Tensor& l, const Tensor& r, const Tensor&, const Tensor& dy) {
                   return share_of_tie(less(l, r), l, r, dy);
                 },
                 [](const Tensor& l, const Tensor& r, const Tensor&, const Tensor& dy) {
                   return share_of_tie(greater(l, r), l, r, dy);
                 }});
}

// Differentiable itself, so that gradients of gradients work.
Tensor relu_gradient(const Operand& y, const Operand& dy) {
  return binary(y, dy, Function::relu_gradient,
                {nullptr, [](const Tensor& l, const Tensor&, const Tensor&, const Tensor& ddy) {
                   return relu_gradient(l, ddy);
                 }});
}

Tensor add_gradients(const Tensor& a, const Tensor& b) {
  return add(a, b);
}

Tensor ones_like(const Tensor& x) {
  const Tensor one = scalar(1, x.dtype());
  return x.rank() == 0 ? one : broadcast_to(one, x.shape());
}

}  // namespace plimsoll
