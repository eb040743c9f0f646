#include "plimsoll/ops/elementwise/integer_op.h"

#include <string>

#include "plimsoll/base/error.h"
#include "plimsoll/graph/node.h"
#include "plimsoll/graph/op.h"
#include "plimsoll/kernels/elementwise/elementwise_integer.h"
#include "plimsoll/ops/elementwise/elementwise_op.h"
#include "plimsoll/ops/elementwise/elementwise_reference.h"

namespace plimsoll {
namespace {

using kernels::Function;

class IntegerOp final : public Op {
 public:
  explicit IntegerOp(Function function)
      : function_(function), name_("integer_" + std::string(kernels::name_of(function))) {}

  std::string_view name() const override { return name_; }
  void describe(Attributes&) const override {
    [[maybe_unused]] const auto& [function, name] = *this;  // the name says the function
  }
  bool keeps_samples_apart(const SampleAxes&) const override { return true; }

  Specs infer(std::span<const Spec> in) const override {
    if (!kernels::has_integer_function(function_))
      throw InvalidArgument("expected float32, found " + std::string(name_of(in[0].dtype)) +
                            "; cast() it first");
    const size_t first = function_ == Function::select ? 1 : 0;
    for (size_t i = first + 1; i < in.size(); ++i)
      if (in[i].dtype != in[first].dtype)
        throw InvalidArgument("operands are " + std::string(name_of(in[first].dtype)) + " and " +
                              std::string(name_of(in[i].dtype)) + ", expected one dtype");
    const DType result = is_comparison(function_) ? DType::boolean : in[first].dtype;
    return {{result, broadcast_all(in)}};
  }

  Tensors gradient(const Node& node, const Tensors&) const override {
    return Tensors(node.inputs.size());
  }

  KernelPtr kernel(const KernelRequest& request) const override {
    return kernels::make_integer_elementwise(function_, request);
  }

  Arrays reference(std::span<const Array> in) const override {
    Specs specs;
    for (const Array& array : in) specs.push_back(array.spec);
    return evaluate_program(kernels::ElementwiseProgram::of(function_), in, infer(specs));
  }

 private:
  Function function_;
  std::string name_;
};

}  // namespace

bool is_comparison(Function function) {
  return function >= Function::equal && function <= Function::greater_equal;
}

Tensor integer_op(Function function, const Tensors& inputs, Place where) {
  return apply(std::make_shared<IntegerOp>(function), inputs, where);
}

}  // namespace plimsoll
