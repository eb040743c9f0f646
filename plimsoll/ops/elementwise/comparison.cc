#include <string>

#include "plimsoll/base/error.h"
#include "plimsoll/graph/node.h"
#include "plimsoll/ops/elementwise/elementwise.h"
#include "plimsoll/ops/elementwise/elementwise_op.h"
#include "plimsoll/ops/elementwise/integer_op.h"

namespace plimsoll {
namespace {

using kernels::Function;

void expect_one_dtype(std::span<const Spec> in) {
  if (in[0].dtype != in[1].dtype)
    throw InvalidArgument("compares " + std::string(name_of(in[0].dtype)) + " with " +
                          std::string(name_of(in[1].dtype)) + ", expected one dtype; cast() one");
}

void expect_booleans(std::span<const Spec> in) {
  for (const Spec& spec : in)
    if (spec.dtype != DType::boolean)
      throw InvalidArgument("expected bool, found " + std::string(name_of(spec.dtype)));
}

// A comparison or a function of booleans. Returns booleans; no gradient flows.
class Truth final : public FunctionOp {
 public:
  explicit Truth(Function function) : function_(function) {}

  void describe(Attributes&) const override {
    [[maybe_unused]] const auto& [function] = *this;  // the op's name
  }
  Function function() const override { return function_; }
  kernels::ElementwiseProgram program() const override {
    return kernels::ElementwiseProgram::of(function_, DType::boolean);
  }
  Specs infer(std::span<const Spec> in) const override {
    if (is_comparison(function_))
      expect_one_dtype(in);
    else
      expect_booleans(in);
    return broadcast(in);
  }
  Tensors gradient(const Node& node, const Tensors&) const override {
    return Tensors(node.inputs.size());
  }

 private:
  Function function_;
};

Tensor compare(const Operand& a, const Operand& b, Function function) {
  const auto [left, right] = matched(a, b);
  if (is_integer(left.dtype()) && is_integer(right.dtype()))
    return integer_op(function, {left, right}, a.where);
  return apply(std::make_shared<Truth>(function), {left, right}, a.where);
}

Tensor logic(const Operand& a, const Operand& b, Function function) {
  const auto [left, right] = matched(a, b);
  return apply(std::make_shared<Truth>(function), {left, right}, a.where);
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
  return apply(std::make_shared<Truth>(Function::logical_not), {x.tensor}, x.where);
}

}  // namespace plimsoll
