#include "plimsoll/ops/normalization/bias_add.h"

#include <fmt/format.h>

#include "plimsoll/base/error.h"
#include "plimsoll/graph/node.h"
#include "plimsoll/graph/op.h"
#include "plimsoll/kernels/normalization/bias_add.h"
#include "plimsoll/ops/normalization/channel_sum.h"

namespace plimsoll {
namespace {

class BiasAdd final : public Op {
 public:
  std::string_view name() const override { return "bias_add"; }
  void describe(Attributes& to) const override { to.none(*this); }
  bool keeps_samples_apart(const SampleAxes& axes) const override { return axes.in_axes[1] < 0; }
  Specs infer(std::span<const Spec> in) const override {
    if (in[0].dtype != DType::float32 || in[0].shape.rank() < 1)
      throw InvalidArgument("x must be float32 with an axis of channels, found " +
                            in[0].to_string());
    if (in[1] != Spec{DType::float32, {in[0].shape.back()}})
      throw InvalidArgument(fmt::format("bias must be float32 of shape ({},), found {}",
                                        in[0].shape.back(), in[1].to_string()));
    return {in[0]};
  }
  LayoutChoice layouts(std::span<const Spec>, std::span<const Spec>,
                       std::span<const Layout> offered) const override {
    return {{offered[0], Layout::plain()}, {offered[0]}};
  }
  std::vector<Overwrite> may_overwrite() const override { return {{}}; }
  Tensors gradient(const Node&, const Tensors& dy) const override {
    return {dy[0], channel_sum(dy[0])};
  }
  KernelPtr kernel(const KernelRequest& request) const override {
    return kernels::make_bias_add(request);
  }
  Arrays reference(std::span<const Array> in) const override {
    Array y = in[0];
    for (int64_t i = 0; i < y.spec.shape.elements(); ++i) y[i] += in[1][i % y.spec.shape.back()];
    return {y};
  }
};

}  // namespace

Tensor bias_add(const Operand& x, const Operand& bias) {
  return apply(std::make_shared<BiasAdd>(), {x.tensor, bias.tensor}, x.where);
}

}  // namespace plimsoll
