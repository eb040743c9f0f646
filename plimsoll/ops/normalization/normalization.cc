#include "plimsoll/ops/normalization/normalization.h"

#include <cmath>

#include "plimsoll/base/error.h"
#include "plimsoll/graph/gradient.h"
#include "plimsoll/graph/node.h"
#include "plimsoll/graph/op.h"
#include "plimsoll/kernels/normalization/batch_norm.h"
#include "plimsoll/ops/elementwise/elementwise.h"
#include "plimsoll/ops/normalization/normalization_checks.h"
#include "plimsoll/ops/normalization/normalization_parts.h"

namespace plimsoll {
namespace {

class BatchNormalizeGradient final : public Op {
 public:
  explicit BatchNormalizeGradient(double epsilon) : epsilon_(epsilon) {}

  std::string_view name() const override { return "batch_normalize_gradient"; }
  void describe(Attributes& to) const override {
    const auto& [epsilon] = *this;
    to.with("epsilon", epsilon);
  }
  Specs infer(std::span<const Spec> in) const override {
    refuse_unless_per_channel(in[0], in.subspan(1, 3));
    refuse_unless_same(in[0], in[4]);
    return {in[0], in[1], in[1]};
  }
  LayoutChoice layouts(std::span<const Spec>, std::span<const Spec>,
                       std::span<const Layout> offered) const override {
    const Layout layout = first_blocked(offered);
    return {{layout, {}, {}, {}, layout}, {layout, {}, {}}};
  }
  std::vector<Overwrite> may_overwrite() const override { return {{4, 0}, {0, 0}}; }
  KernelPtr kernel(const KernelRequest& request) const override {
    return kernels::make_batch_norm_gradient(request, epsilon_);
  }
  Arrays reference(std::span<const Array> in) const override {
    const int64_t channels = in[0].spec.shape.back(), elements = in[0].spec.shape.elements();
    Array dx(in[0].spec), dgamma(in[1].spec), dbeta(in[1].spec), products(in[1].spec);
    const int64_t per_channel = channels == 0 ? 0 : elements / channels;
    const auto positions = static_cast<double>(per_channel);
    const auto r = [&](int64_t c) { return 1 / std::sqrt(in[3][c] + epsilon_); };
    for (int64_t i = 0; i < elements; ++i) {
      const int64_t c = i % channels;
      dbeta[c] += in[4][i];
      products[c] += in[4][i] * (in[0][i] - in[2][c]);
    }
    for (int64_t c = 0; c < channels; ++c) dgamma[c] = products[c] * r(c);
    for (int64_t i = 0; i < elements; ++i) {
      const int64_t c = i % channels;
      dx[i] = in[1][c] * r(c) *
              (in[4][i] - dbeta[c] / positions -
               (in[0][i] - in[2][c]) * r(c) * r(c) * products[c] / positions);
    }
    return {dx, dgamma, dbeta};
  }

 private:
  double epsilon_;
};

class BatchNormalize final : public Op {
 public:
  explicit BatchNormalize(double epsilon) : epsilon_(epsilon) {}

  std::string_view name() const override { return "batch_normalize"; }
  void describe(Attributes& to) const override {
    const auto& [epsilon] = *this;
    to.with("epsilon", epsilon);
  }
  Specs infer(std::span<const Spec> in) const override {
    refuse_unless_per_channel(in[0], in.subspan(1));
    return {in[0], in[1], in[1]};
  }
  LayoutChoice layouts(std::span<const Spec>, std::span<const Spec>,
                       std::span<const Layout> offered) const override {
    return {{offered[0], {}, {}}, {offered[0], {}, {}}};
  }
  std::vector<Overwrite> may_overwrite() const override { return {{0, 0}}; }

  Tensors gradient(const Node& node, const Tensors& dy) const override {
    Tensors answer(3);
    if (dy[0].defined())
      answer = apply_all(std::make_shared<BatchNormalizeGradient>(epsilon_),
                         {node.input(0), node.input(1), node.output(1), node.output(2), dy[0]},
                         node.where);
    const Tensor through_moments = gradient_of_moments(node, dy[1], dy[2]);
    if (through_moments.defined())
      answer[0] = answer[0].defined() ? add_gradients(answer[0], through_moments) : through_moments;
    return answer;
  }

  KernelPtr kernel(const KernelRequest& request) const override {
    return kernels::make_batch_norm(request, epsilon_);
  }
  Arrays reference(std::span<const Array> in) const override {
    const BatchMomentsOf moments(in[0]);
    Array y(in[0].spec), mean(in[1].spec), variance(in[1].spec);
    mean.data = moments.mean;
    variance.data = moments.variance;
    for (int64_t i = 0; i < in[0].spec.shape.elements(); ++i) {
      const int64_t c = i % in[0].spec.shape.back();
      y[i] = (in[0][i] - mean[c]) / std::sqrt(variance[c] + epsilon_) * in[1][c] + in[2][c];
    }
    return {y, mean, variance};
  }

  double epsilon() const { return epsilon_; }

 private:
  // (dmean + 2 * (x - mean) * dvariance) / positions
  static Tensor gradient_of_moments(const Node& node, const Tensor& dmean,
                                    const Tensor& dvariance) {
    const Tensor x = node.input(0), mean = node.output(1);
    if (!dmean.defined() && !dvariance.defined()) return {};
    const double share =
        static_cast<double>(x.shape().back()) / static_cast<double>(x.shape().elements());
    Tensor scale = dvariance.defined() ? dvariance * (2 * share) : dmean * 0.0;
    Tensor shift = dmean.defined() ? dmean * share : dvariance * 0.0;
    return scale_shift(x, scale, shift - scale * mean);
  }

  double epsilon_;
};

}  // namespace

std::optional<double> batch_normalize_epsilon(const Op& op) {
  const auto* found = dynamic_cast<const BatchNormalize*>(&op);
  if (found == nullptr) return std::nullopt;
  return found->epsilon();
}

BatchNormalized batch_normalize(const Operand& x, const Operand& gamma, const Operand& beta,
                                double epsilon) {
  const Tensors all = apply_all(std::make_shared<BatchNormalize>(epsilon),
                                {x.tensor, gamma.tensor, beta.tensor}, x.where);
  return {all[0], all[1], all[2]};
}

}  // namespace plimsoll
