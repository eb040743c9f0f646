#include <algorithm>
#include <cmath>
#include <limits>

#include "plimsoll/base/error.h"
#include "plimsoll/graph/node.h"
#include "plimsoll/graph/scope.h"
#include "plimsoll/kernels/elementwise/elementwise_cast.h"
#include "plimsoll/ops/elementwise/elementwise.h"
#include "plimsoll/ops/elementwise/elementwise_op.h"
#include "plimsoll/tensor/text.h"

namespace plimsoll {
namespace {

using kernels::Function;

// To float32, which every program reads anyway.
class CastToFloat final : public ElementwiseOp {
 public:
  std::string_view name() const override { return "cast_to_float"; }
  void describe(Attributes& to) const override { to.none(*this); }
  kernels::ElementwiseProgram program() const override {
    return kernels::ElementwiseProgram::of(Function::copy);
  }
  Tensors gradient(const Node& node, const Tensors&) const override {
    return Tensors(node.inputs.size());
  }
};

// From float32 to boolean; that, too, is part of programs.
class CastToBoolean final : public FunctionOp {
 public:
  std::string_view name() const override { return "cast_to_boolean"; }
  void describe(Attributes& to) const override { to.none(*this); }
  Function function() const override { return Function::is_nonzero; }
  kernels::ElementwiseProgram program() const override {
    return kernels::ElementwiseProgram::of(function(), DType::boolean);
  }
  Tensors gradient(const Node& node, const Tensors&) const override {
    return Tensors(node.inputs.size());
  }
};

// Floats are kept within the range of To, integers wrap.
template <class To>
double converted(double value, DType from) {
  if (from != DType::float32)
    return static_cast<double>(static_cast<To>(static_cast<int64_t>(value)));
  if (std::isnan(value)) return 0;
  const double low = static_cast<double>(std::numeric_limits<To>::min());
  const double high = static_cast<double>(std::numeric_limits<To>::max());
  return std::trunc(std::min(std::max(value, low), high));
}

// Between the other dtypes.
class Cast final : public Op {
 public:
  explicit Cast(DType dtype) : dtype_(dtype) {}

  std::string_view name() const override { return "cast"; }
  bool keeps_samples_apart(const SampleAxes&) const override { return true; }
  void describe(Attributes& to) const override {
    const auto& [dtype] = *this;
    to.with("dtype", dtype);
  }
  Specs infer(std::span<const Spec> in) const override { return {{dtype_, in[0].shape}}; }
  LayoutChoice layouts(std::span<const Spec> in, std::span<const Spec> out,
                       std::span<const Layout> offered) const override {
    return same_layout(in, out, offered);
  }
  std::vector<Overwrite> may_overwrite() const override { return {{0, 0}}; }
  Tensors gradient(const Node& node, const Tensors&) const override {
    return Tensors(node.inputs.size());
  }
  KernelPtr kernel(const KernelRequest& request) const override {
    return kernels::make_cast(request);
  }

  Arrays reference(std::span<const Array> in) const override {
    const DType from = in[0].spec.dtype;
    Array out({dtype_, in[0].spec.shape});
    for (int64_t i = 0; i < out.spec.shape.elements(); ++i)
      out[i] = dtype_ == DType::boolean ? in[0][i] != 0
               : dtype_ == DType::int32 ? converted<int32_t>(in[0][i], from)
               : dtype_ == DType::int64 ? converted<int64_t>(in[0][i], from)
                                        : converted<uint8_t>(in[0][i], from);
    return {out};
  }

 private:
  DType dtype_;
};

OpPtr cast_op(DType from, DType to) {
  if (to == DType::float32) return std::make_shared<CastToFloat>();
  if (from == DType::float32 && to == DType::boolean) return std::make_shared<CastToBoolean>();
  return std::make_shared<Cast>(to);
}

// Whatever takes numbers of any type comes here with text.
[[noreturn]] void refuse_text() {
  const std::string& layer = *Scope::current();
  throw InvalidArgument((layer.empty() ? "cast" : layer) +
                        ": takes numbers, found text; a StringLookup, a Hashing or a "
                        "TextVectorization makes numbers of it");
}

}  // namespace

Tensor cast(const Operand& x, DType dtype) {
  if (x.tensor.dtype() == dtype) return x.tensor;
  if (holds_text(x.tensor.spec()) || dtype == DType::string) refuse_text();
  return apply(cast_op(x.tensor.dtype(), dtype), {x.tensor}, x.where);
}

}  // namespace plimsoll
