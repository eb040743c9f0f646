#include "plimsoll/base/error.h"
#include "plimsoll/graph/node.h"
#include "plimsoll/graph/op.h"
#include "plimsoll/kernels/normalization/batch_norm.h"
#include "plimsoll/ops/normalization/normalization.h"
#include "plimsoll/ops/normalization/normalization_checks.h"

namespace plimsoll {
namespace {

class ScaleShiftGradient final : public Op {
 public:
  ScaleShiftGradient(bool dx, bool weights) : dx_(dx), weights_(weights) {}

  std::string_view name() const override { return "scale_shift_gradient"; }
  void describe(Attributes& to) const override {
    const auto& [dx, weights] = *this;
    to.with("dx", dx).with("weights", weights);
  }
  Specs infer(std::span<const Spec> in) const override {
    refuse_unless_per_channel(in[0], in.subspan(1, 1));
    refuse_unless_same(in[0], in[2]);
    const Spec none{DType::float32, {0}};
    return {dx_ ? in[0] : none, weights_ ? in[1] : none, weights_ ? in[1] : none};
  }
  LayoutChoice layouts(std::span<const Spec>, std::span<const Spec>,
                       std::span<const Layout> offered) const override {
    const Layout layout = first_blocked(offered);
    return {{layout, {}, layout}, {dx_ ? layout : Layout::plain(), {}, {}}};
  }
  std::vector<Overwrite> may_overwrite() const override {
    return dx_ ? std::vector<Overwrite>{{2, 0}} : std::vector<Overwrite>{};
  }
  OpPtr pruned(std::span<const bool> used) const override {
    const bool dx = used[0], weights = used[1] && used[2];
    if (used[1] != used[2] || (dx == dx_ && weights == weights_)) return nullptr;
    return std::make_shared<ScaleShiftGradient>(dx, weights);
  }
  KernelPtr kernel(const KernelRequest& request) const override {
    return kernels::make_scale_shift_gradient(request);
  }
  Arrays reference(std::span<const Array> in) const override {
    Array dx(in[0].spec), dscale(in[1].spec), dshift(in[1].spec);
    for (int64_t i = 0; i < in[0].spec.shape.elements(); ++i) {
      const int64_t c = i % in[0].spec.shape.back();
      dx[i] = in[2][i] * in[1][c];
      dscale[c] += in[2][i] * in[0][i];
      dshift[c] += in[2][i];
    }
    return {dx, dscale, dshift};
  }

 private:
  bool dx_, weights_;  // which gradients are computed
};

class ScaleShift final : public Op {
 public:
  std::string_view name() const override { return "scale_shift"; }
  void describe(Attributes& to) const override { to.none(*this); }
  bool keeps_samples_apart(const SampleAxes& axes) const override {
    return axes.in_axes[1] < 0 && axes.in_axes[2] < 0;
  }
  Specs infer(std::span<const Spec> in) const override {
    refuse_unless_per_channel(in[0], in.subspan(1));
    return {in[0]};
  }
  LayoutChoice layouts(std::span<const Spec>, std::span<const Spec>,
                       std::span<const Layout> offered) const override {
    return {{offered[0], {}, {}}, {offered[0]}};
  }
  std::vector<Overwrite> may_overwrite() const override { return {{0, 0}}; }
  Tensors gradient(const Node& node, const Tensors& dy) const override {
    return apply_all(std::make_shared<ScaleShiftGradient>(true, true),
                     {node.input(0), node.input(1), dy[0]}, node.where);
  }
  KernelPtr kernel(const KernelRequest& request) const override {
    return kernels::make_scale_shift(request);
  }
  Arrays reference(std::span<const Array> in) const override {
    Array y(in[0].spec);
    for (int64_t i = 0; i < y.spec.shape.elements(); ++i) {
      const int64_t c = i % y.spec.shape.back();
      y[i] = in[0][i] * in[1][c] + in[2][c];
    }
    return {y};
  }
};

}  // namespace

Tensor scale_shift(const Operand& x, const Operand& scale, const Operand& shift) {
  return apply(std::make_shared<ScaleShift>(), {x.tensor, scale.tensor, shift.tensor}, x.where);
}

}  // namespace plimsoll
