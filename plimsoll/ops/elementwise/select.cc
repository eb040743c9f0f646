#include <string>

#include "plimsoll/base/error.h"
#include "plimsoll/graph/node.h"
#include "plimsoll/ops/elementwise/elementwise.h"
#include "plimsoll/ops/elementwise/elementwise_op.h"
#include "plimsoll/ops/elementwise/integer_op.h"

namespace plimsoll {
namespace {

using kernels::Function;

void expect_condition(const Spec& condition) {
  if (condition.dtype != DType::boolean)
    throw InvalidArgument("the condition is " + condition.to_string() + ", expected bool");
}

class Select final : public FunctionOp {
 public:
  void describe(Attributes& to) const override { to.none(*this); }
  Function function() const override { return Function::select; }

  Specs infer(std::span<const Spec> in) const override {
    expect_condition(in[0]);
    expect_float32(in.subspan(1));
    return broadcast(in);
  }

  Tensors gradient(const Node& node, const Tensors& dy) const override {
    const Tensor condition = node.input(0);
    return {Tensor(), reduce_gradient(select(condition, dy[0], 0), node.input(1)),
            reduce_gradient(select(condition, 0, dy[0]), node.input(2))};
  }
};

}  // namespace

Tensor select(const Operand& condition, const Operand& a, const Operand& b) {
  const auto [left, right] = matched(a, b);
  if (left.dtype() == DType::float32 || right.dtype() == DType::float32)
    return apply(std::make_shared<Select>(), {condition.tensor, left, right}, condition.where);
  return integer_op(Function::select, {condition.tensor, left, right}, condition.where);
}

}  // namespace plimsoll
