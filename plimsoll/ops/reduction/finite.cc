#include "plimsoll/kernels/reduction/finite.h"

#include <algorithm>
#include <cmath>

#include "plimsoll/base/error.h"
#include "plimsoll/graph/node.h"
#include "plimsoll/graph/op.h"
#include "plimsoll/ops/elementwise/elementwise.h"
#include "plimsoll/ops/update/update.h"

namespace plimsoll {
namespace {

void refuse_unless_float(std::span<const Spec> in) {
  for (const Spec& spec : in)
    if (spec.dtype != DType::float32)
      throw InvalidArgument("expected float32 tensors, found " + spec.to_string());
}

class AllFinite final : public Op {
 public:
  std::string_view name() const override { return "all_finite"; }
  void describe(Attributes& to) const override { to.none(*this); }
  Specs infer(std::span<const Spec> in) const override {
    refuse_unless_float(in);
    return {{DType::boolean, {}}};
  }
  Tensors gradient(const Node& node, const Tensors&) const override {
    return Tensors(node.inputs.size());
  }
  KernelPtr kernel(const KernelRequest& request) const override {
    return kernels::make_all_finite(request);
  }
  Arrays reference(std::span<const Array> in) const override {
    Array finite({DType::boolean, {}});
    finite[0] = std::ranges::all_of(in, [](const Array& array) {
      return std::ranges::all_of(array.data, [](double x) { return std::isfinite(x); });
    });
    return {finite};
  }
};

class Norm final : public Op {
 public:
  std::string_view name() const override { return "norm"; }
  void describe(Attributes& to) const override { to.none(*this); }
  Specs infer(std::span<const Spec> in) const override {
    refuse_unless_float(in);
    return {Spec{}};
  }
  Tensors gradient(const Node& node, const Tensors& dy) const override {
    const Tensor share = dy[0] / node.output(0);
    Tensors answer;
    for (size_t i = 0; i < node.inputs.size(); ++i)
      answer.push_back(node.input(static_cast<int>(i)) * share);
    return answer;
  }
  KernelPtr kernel(const KernelRequest& request) const override {
    return kernels::make_norm(request);
  }
  Arrays reference(std::span<const Array> in) const override {
    Array norm{Spec{}};
    for (const Array& array : in)
      for (const double x : array.data) norm[0] += x * x;
    norm[0] = std::sqrt(norm[0]);
    return {norm};
  }
};

}  // namespace

Tensor all_finite(const Tensors& tensors, Place where) {
  return apply(std::make_shared<AllFinite>(), tensors, where);
}

Tensor norm(const Tensors& tensors, Place where) {
  return apply(std::make_shared<Norm>(), tensors, where);
}

}  // namespace plimsoll
