#include "plimsoll/base/error.h"

#include <fmt/format.h>
#include "plimsoll/graph/op.h"
#include "plimsoll/kernels/update/update.h"
#include "plimsoll/ops/update/update.h"

namespace plimsoll {
namespace {

class AccumulateGradient final : public Op {
 public:
  explicit AccumulateGradient(double scale) : scale_(scale) {}

  std::string_view name() const override { return "accumulate_gradient"; }
  void describe(Attributes& to) const override {
    const auto& [scale] = *this;
    to.with("scale", scale);
  }
  Specs infer(std::span<const Spec> in) const override {
    if (in[0] != in[1] || in[0].dtype != DType::float32 || in[2] != Spec{})
      throw InvalidArgument("expected a float32 sum, a gradient like it and a scalar, found " +
                            in[0].to_string() + ", " + in[1].to_string() + ", " +
                            in[2].to_string());
    return {in[0], in[0]};
  }
  std::vector<Overwrite> may_overwrite() const override { return {{0, 0}, {1, 1}}; }
  KernelPtr kernel(const KernelRequest& request) const override {
    return kernels::make_accumulate_gradient(request, scale_);
  }
  Arrays reference(std::span<const Array> in) const override {
    Arrays out = {in[0], in[0]};
    for (int64_t i = 0; i < in[0].spec.shape.elements(); ++i) {
      out[1][i] = in[0][i] + in[1][i] * scale_;
      out[0][i] = in[2][0] != 0 ? 0 : out[1][i];
    }
    return out;
  }

 private:
  double scale_;
};

class WholeQuotient final : public Op {
 public:
  explicit WholeQuotient(int64_t divisor) : divisor_(divisor) {}

  std::string_view name() const override { return "whole_quotient"; }
  bool keeps_samples_apart(const SampleAxes&) const override { return true; }
  void describe(Attributes& to) const override {
    const auto& [divisor] = *this;
    to.with("divisor", divisor);
  }
  Specs infer(std::span<const Spec> in) const override {
    if (in[0].dtype != DType::int64 || divisor_ < 1)
      throw InvalidArgument(
          fmt::format("expected an int64 count and a divisor above 0, found {} and {}",
                      in[0].to_string(), divisor_));
    return {in[0]};
  }
  std::vector<Overwrite> may_overwrite() const override { return {{0, 0}}; }
  KernelPtr kernel(const KernelRequest& request) const override {
    return kernels::make_whole_quotient(request, divisor_);
  }
  Arrays reference(std::span<const Array> in) const override {
    Array quotient = in[0];
    for (int64_t i = 0; i < in[0].spec.shape.elements(); ++i) {
      const int64_t whole = static_cast<int64_t>(in[0][i]) / divisor_;
      quotient[i] = static_cast<double>(whole);
    }
    return {quotient};
  }

 private:
  int64_t divisor_;
};

}  // namespace

Accumulated accumulate_gradient(const Tensor& sum, const Tensor& gradient, double scale,
                                const Tensor& is_due) {
  const Tensors outputs = apply_all(std::make_shared<AccumulateGradient>(scale),
                                    {sum, gradient, is_due}, Place::here());
  return {outputs[0], outputs[1]};
}

Tensor whole_quotient(const Operand& count, int64_t divisor) {
  return apply(std::make_shared<WholeQuotient>(divisor), {count.tensor}, count.where);
}

}  // namespace plimsoll
