#include "plimsoll/ops/update/adaptive_clip.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "plimsoll/base/error.h"
#include "plimsoll/graph/op.h"
#include "plimsoll/kernels/update/adaptive_clip.h"

namespace plimsoll {
namespace {

class ClipUnits final : public Op {
 public:
  ClipUnits(double ratio, double scale) : ratio_(ratio), scale_(scale) {}

  std::string_view name() const override { return "clip_units"; }
  void describe(Attributes& to) const override {
    const auto& [ratio, scale] = *this;
    to.with("ratio", ratio).with("scale", scale, 1);
  }
  Specs infer(std::span<const Spec> in) const override {
    if (in[0] != in[1] || in[0].dtype != DType::float32)
      throw InvalidArgument("expected a float32 gradient and a weight like it, found " +
                            in[0].to_string() + " and " + in[1].to_string());
    return {in[0]};
  }
  std::vector<Overwrite> may_overwrite() const override { return {{0, 0}}; }
  KernelPtr kernel(const KernelRequest& request) const override {
    return kernels::make_clip_units(request, {ratio_, scale_});
  }
  Arrays reference(std::span<const Array> in) const override {
    const int64_t units = kernels::clip_units_of(in[0].spec.shape);
    Array clipped = in[0];
    for (int64_t unit = 0; unit < units; ++unit) {
      const double norm = norm_of(in[0], unit, units) * scale_;
      const double limit =
          ratio_ * std::max(norm_of(in[1], unit, units), kernels::kLeastWeightNorm);
      for (int64_t i = unit; i < in[0].spec.shape.elements(); i += units)
        if (norm > limit) clipped[i] = in[0][i] * limit / norm;
    }
    return {clipped};
  }

 private:
  static double norm_of(const Array& array, int64_t unit, int64_t units) {
    double squares = 0;
    for (int64_t i = unit; i < array.spec.shape.elements(); i += units)
      squares += array[i] * array[i];
    return std::sqrt(squares);
  }

  double ratio_, scale_;
};

class ClipByHistory final : public Op {
 public:
  explicit ClipByHistory(double percentile) : percentile_(percentile) {}

  std::string_view name() const override { return "clip_by_history"; }
  void describe(Attributes& to) const override {
    const auto& [percentile] = *this;
    to.with("percentile", percentile);
  }
  Specs infer(std::span<const Spec> in) const override {
    if (in[0].dtype != DType::float32 || in[0].shape.rank() != 1 || in[0].shape[0] < 1 ||
        in[1] != Spec{DType::int64, {}} || in[2] != Spec{})
      throw InvalidArgument("expected float32 norms, an int64 count and a norm, found " +
                            in[0].to_string() + ", " + in[1].to_string() + " and " +
                            in[2].to_string());
    return {in[0], Spec{}};
  }
  std::vector<Overwrite> may_overwrite() const override { return {{0, 0}}; }
  KernelPtr kernel(const KernelRequest& request) const override {
    return kernels::make_clip_by_history(request, percentile_);
  }
  Arrays reference(std::span<const Array> in) const override {
    Array history = in[0], factor{Spec{}};
    const int64_t size = in[0].spec.shape[0], count = static_cast<int64_t>(in[1][0]);
    history[count % size] = in[2][0];
    std::vector<double> sorted(history.data.begin(),
                               history.data.begin() + std::min(count + 1, size));
    std::ranges::sort(sorted);
    const double place = percentile_ / 100 * static_cast<double>(sorted.size() - 1);
    const auto below = static_cast<size_t>(place);
    const double high = sorted[std::min(below + 1, sorted.size() - 1)];
    const double limit = sorted[below] + (high - sorted[below]) * (place - std::floor(place));
    factor[0] = in[2][0] > limit ? limit / in[2][0] : 1;
    return {history, factor};
  }

 private:
  double percentile_;
};

}  // namespace

Tensor clip_units(const Tensor& gradient, const Tensor& weight, double ratio, double scale) {
  return apply(std::make_shared<ClipUnits>(ratio, scale), {gradient, weight}, Place::here());
}

HistoryClip clip_by_history(const Tensor& history, const Tensor& count, const Tensor& norm,
                            double percentile) {
  const Tensors outputs =
      apply_all(std::make_shared<ClipByHistory>(percentile), {history, count, norm}, Place::here());
  return {outputs[0], outputs[1]};
}

}  // namespace plimsoll
