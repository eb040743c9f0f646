
#include "plimsoll/base/error.h"
#include "plimsoll/graph/node.h"
#include "plimsoll/ops/elementwise/elementwise.h"
#include "plimsoll/ops/elementwise/elementwise_op.h"
#include "plimsoll/ops/op_settings.h"

#include <fmt/format.h>

namespace plimsoll {
namespace {

class Clip final : public FunctionOp {
 public:
  Clip(double low, double high) : low_(static_cast<float>(low)), high_(static_cast<float>(high)) {}

  void describe(Attributes& to) const override {
    const auto& [low, high] = *this;
    to.with("x_min", low).with("x_max", high);
  }

  kernels::Function function() const override { return kernels::Function::clip; }
  kernels::ElementwiseProgram program() const override {
    return kernels::ElementwiseProgram::of(function(), DType::float32, {low_, high_});
  }

  Specs infer(std::span<const Spec> in) const override {
    if (!(low_ <= high_))
      throw InvalidArgument(
          fmt::format("the lower bound {:g} is not at most the upper bound {:g}", low_, high_));
    return FunctionOp::infer(in);
  }

  Tensors gradient(const Node& node, const Tensors& dy) const override {
    const Tensor x = node.input(0);
    return {select(logical_and(greater_equal(x, low_), less_equal(x, high_)), dy[0], 0)};
  }

  std::pair<float, float> bounds() const { return {low_, high_}; }

 private:
  float low_, high_;
};

}  // namespace

Tensor clip(const Operand& x, double low, double high) {
  return apply(std::make_shared<Clip>(low, high), {x.tensor}, x.where);
}

std::optional<std::pair<float, float>> clip_bounds(const Op& op) {
  const auto* found = dynamic_cast<const Clip*>(&op);
  if (found == nullptr) return std::nullopt;
  return found->bounds();
}

}  // namespace plimsoll
