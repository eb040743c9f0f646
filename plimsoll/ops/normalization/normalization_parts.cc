#include "plimsoll/ops/normalization/normalization_parts.h"

#include <algorithm>
#include <cmath>

#include "plimsoll/kernels/normalization/batch_norm.h"
#include "plimsoll/ops/normalization/normalization_checks.h"

namespace plimsoll {
namespace {

class BatchMoments final : public Op {
 public:
  std::string_view name() const override { return "batch_moments"; }
  void describe(Attributes& to) const override { to.none(*this); }
  Specs infer(std::span<const Spec> in) const override {
    refuse_unless_per_channel(in[0], {});
    const Spec channels{DType::float32, {in[0].shape.back()}};
    return {channels, channels};
  }
  LayoutChoice layouts(std::span<const Spec>, std::span<const Spec>,
                       std::span<const Layout> offered) const override {
    return {{offered[0]}, {{}, {}}};
  }
  KernelPtr kernel(const KernelRequest& request) const override {
    return kernels::make_batch_moments(request);
  }
  Arrays reference(std::span<const Array> in) const override {
    const BatchMomentsOf moments(in[0]);
    const Spec channels{DType::float32, {in[0].spec.shape.back()}};
    Array mean(channels), variance(channels);
    mean.data = moments.mean;
    variance.data = moments.variance;
    return {mean, variance};
  }
};

class BatchApply final : public Op {
 public:
  BatchApply(double epsilon, bool relu) : epsilon_(epsilon), relu_(relu) {}

  std::string_view name() const override { return "batch_apply"; }
  void describe(Attributes& to) const override {
    const auto& [epsilon, relu] = *this;
    to.with("epsilon", epsilon).with("relu", relu, false);
  }
  Specs infer(std::span<const Spec> in) const override {
    refuse_unless_per_channel(in[0], in.subspan(1));
    return {in[0]};
  }
  LayoutChoice layouts(std::span<const Spec>, std::span<const Spec>,
                       std::span<const Layout> offered) const override {
    return {{offered[0], {}, {}, {}, {}}, {offered[0]}};
  }
  std::vector<Overwrite> may_overwrite() const override { return {{0, 0}}; }
  KernelPtr kernel(const KernelRequest& request) const override {
    return kernels::make_batch_apply(request, epsilon_, relu_);
  }
  Arrays reference(std::span<const Array> in) const override {
    Array y(in[0].spec);
    for (int64_t i = 0; i < in[0].spec.shape.elements(); ++i) {
      const int64_t c = i % in[0].spec.shape.back();
      y[i] = (in[0][i] - in[3][c]) / std::sqrt(in[4][c] + epsilon_) * in[1][c] + in[2][c];
      if (relu_) y[i] = std::max(y[i], 0.0);
    }
    return {y};
  }

  double epsilon() const { return epsilon_; }

 private:
  double epsilon_;
  bool relu_;
};

}  // namespace

OpPtr batch_moments_op() {
  static const OpPtr op = std::make_shared<BatchMoments>();
  return op;
}

OpPtr batch_apply_op(double epsilon, bool relu) {
  return std::make_shared<BatchApply>(epsilon, relu);
}

OpPtr apply_with_relu(const Op& op) {
  const auto* found = dynamic_cast<const BatchApply*>(&op);
  return found == nullptr ? nullptr : batch_apply_op(found->epsilon(), true);
}

}  // namespace plimsoll
