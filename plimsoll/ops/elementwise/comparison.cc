#include <string>

#include "plimsoll/base/error.h"
#include "plimsoll/graph/node.h"
#include "plimsoll/ops/elementwise/elementwise.h"
#include "plimsoll/ops/elementwise/elementwise_op.h"
#include "plimsoll/ops/elementwise/integer_op.h"

namespace plimsoll {
namespace {

using kernels::Function;

// Returns booleans; no gradient flows.
class Truth : public FunctionOp {
 public:
  using FunctionOp::FunctionOp;
  void describe(Attributes&) const override {}  // the name says the function
  kernels::ElementwiseProgram program() const override {
    return kernels::ElementwiseProgram::of(function_, DType::boolean);
  }
  Tensors gradient(const Node& node, const Tensors&) const override {
    return Tensors(node.inputs.size());
  }
};

class Comparison final : public Truth {
 public:
  using Truth::Truth;
  Specs infer(std::span<const Spec> in) const override {
    if (in[0].dtype != in[1].dtype)
      throw InvalidArgument("compares " + std::string(name_of(in[0].dtype)) + " with " +
                            std::string(name_of(in[1].dtype)) + ", expected one dtype; cast() one");
    return ElementwiseOp::infer(in);
  }
};

class Logic final : public Truth {
 public:
  using Truth::Truth;
  Specs infer(std::span<const Spec> in) const override {
    for (const Spec& spec : in)
      if (spec.dtype != DType::boolean)
        throw InvalidArgument("expected bool, found " + std::string(name_of(spec.dtype)));
    return ElementwiseOp::infer(in);
  }
};

Tensor compare(const Operand& a, const Operand& b, Function function) {
  const auto [left, right] = matched(a, b);
  if (is_integer(left.dtype()) && is_integer(right.dtype()))
    return integer_op(function, {left, right}, a.where);
  return apply(std::make_shared<Comparison>(function), {left, right}, a.where);
}

Tensor logic(const Operand& a, const Operand& b, Function function) {
  const auto [left, right] = matched(a, b);
  return apply(std::make_shared<Logic>(function), {left, right}, a.where);
}

}  // namespace

Tensor equal(const Operand& a, const Operand& b) {
  return compare(a, b, Function::equal);
}

Tensor not_equal(const Operand& a, const Operand& b) {
  return compare(a, b, Function::not_equal);
}

Tensor less(const Operand& a, const Operand& b) {
  return compare(a, b, Function::less);
}

Tensor less_equal(const Operand& a, const Operand& b) {
  return compare(a, b, Function::less_equal);
}

Tensor greater(const Operand& a, const Operand& b) {
  return compare(a, b, Function::greater);
}

Tensor greater_equal(const Operand& a, const Operand& b) {
  return compare(a, b, Function::greater_equal);
}

Tensor logical_and(const Operand& a, const Operand& b) {
  return logic(a, b, Function::logical_and);
}

Tensor logical_or(const Operand& a, const Operand& b) {
  return logic(a, b, Function::logical_or);
}

Tensor logical_not(const Operand& x) {
  return apply(std::make_shared<Logic>(Function::logical_not), {x.tensor}, x.where);
}

}  // namespace plimsoll
