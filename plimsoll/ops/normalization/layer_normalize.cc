#include "plimsoll/ops/normalization/layer_normalize.h"

#include <fmt/format.h>

#include <array>
#include <cmath>

#include "plimsoll/base/error.h"
#include "plimsoll/graph/node.h"
#include "plimsoll/graph/op.h"
#include "plimsoll/kernels/normalization/layer_norm.h"
#include "plimsoll/ops/movement/movement.h"

namespace plimsoll {
namespace {

using kernels::LayerNormOptions;

Shape row_shape(const Shape& x, int axes) {
  return Shape(x.dims().subspan(static_cast<size_t>(x.rank() - axes)));
}

void refuse_unless_rows(const Spec& x, std::span<const Spec> coefficients, int axes) {
  if (x.dtype != DType::float32 || x.shape.rank() < axes || axes < 1)
    throw InvalidArgument(
        fmt::format("x must be float32 with {} axes or more, found {}", axes, x.to_string()));
  const Shape row = row_shape(x.shape, axes);
  for (const Spec& coefficient : coefficients)
    if (coefficient != Spec{DType::float32, row})
      throw InvalidArgument("expected float32 " + row.to_string() + ", the shape of a row of x " +
                            x.shape.to_string() + ", found " + coefficient.to_string());
}

// Rows of an array with the mean and the scale of each.
struct Rows {
  const Array& x;
  const LayerNormOptions& options;
  int64_t size = x.spec.shape.elements(x.spec.shape.rank() - options.axes, x.spec.shape.rank());
  int64_t count = size == 0 ? 0 : x.spec.shape.elements() / size;

  double mean(int64_t row) const {
    double total = 0;
    for (int64_t i = 0; i < size && options.centered; ++i) total += x[row * size + i];
    return total / static_cast<double>(size);
  }
  double inverse_deviation(int64_t row) const {
    const double centre = mean(row);
    double total = 0;
    for (int64_t i = 0; i < size; ++i) total += std::pow(x[row * size + i] - centre, 2);
    return 1 / std::sqrt(total / static_cast<double>(size) + options.epsilon);
  }
};

void describe_options(Attributes& to, const LayerNormOptions& options) {
  const auto& [epsilon, centered, axes] = options;
  to.with("epsilon", epsilon).with("centered", centered, true).with("axes", axes, 1);
}

class LayerNormalizeGradient final : public Op {
 public:
  using Used = std::array<bool, 3>;  // which of dx, dgamma and dbeta are wanted
  explicit LayerNormalizeGradient(const LayerNormOptions& options, Used used = {true, true, true})
      : options_(options), used_(used) {}

  std::string_view name() const override { return "layer_normalize_gradient"; }
  void describe(Attributes& to) const override {
    const auto& [options, used] = *this;
    describe_options(to, options);
    to.with("used", used, {true, true, true});
  }
  Specs infer(std::span<const Spec> in) const override {
    refuse_unless_rows(in[0], in.subspan(1, 1), options_.axes);
    if (in[2] != in[0])
      throw InvalidArgument("dy must be " + in[0].to_string() + " as x, found " +
                            in[2].to_string());
    Specs out = {in[0], in[1], in[1]};
    for (size_t i = 0; i < used_.size(); ++i)
      if (!used_[i]) out[i].shape = {0};
    return out;
  }
  std::vector<Overwrite> may_overwrite() const override {
    if (!used_[0]) return {};
    return {{2, 0}, {0, 0}};
  }
  std::shared_ptr<const Op> pruned(std::span<const bool> used) const override {
    Used left = used_;
    for (size_t i = 0; i < left.size(); ++i) left[i] = left[i] && used[i];
    return left == used_ ? nullptr : std::make_shared<LayerNormalizeGradient>(options_, left);
  }
  KernelPtr kernel(const KernelRequest& request) const override {
    return kernels::make_layer_norm_gradient(request, options_);
  }

  Arrays reference(std::span<const Array> in) const override {
    const Specs specs = infer(std::vector<Spec>{in[0].spec, in[1].spec, in[2].spec});
    Array dx(specs[0]), dgamma(specs[1]), dbeta(specs[2]);
    const Rows rows{in[0], options_};
    const double size = static_cast<double>(rows.size);
    for (int64_t r = 0; r < rows.count; ++r) {
      const double centre = rows.mean(r), scale = rows.inverse_deviation(r);
      double sum = 0, product = 0;
      const auto normal = [&](int64_t i) { return (in[0][r * rows.size + i] - centre) * scale; };
      for (int64_t i = 0; i < rows.size; ++i) {
        const double dy = in[2][r * rows.size + i];
        sum += dy * in[1][i];
        product += dy * in[1][i] * normal(i);
        if (used_[1]) dgamma[i] += dy * normal(i);
        if (used_[2]) dbeta[i] += dy;
      }
      if (!options_.centered) sum = 0;
      for (int64_t i = 0; i < rows.size && used_[0]; ++i)
        dx[r * rows.size + i] =
            scale * (in[2][r * rows.size + i] * in[1][i] - sum / size - normal(i) * product / size);
    }
    return {dx, dgamma, dbeta};
  }

 private:
  LayerNormOptions options_;
  Used used_;
};

class LayerNormalize final : public Op {
 public:
  explicit LayerNormalize(const LayerNormOptions& options) : options_(options) {}

  std::string_view name() const override { return "layer_normalize"; }
  bool keeps_samples_apart(const SampleAxes& axes) const override {
    return axes.out_axes[0] < axes.in[0].shape.rank() - options_.axes;
  }
  void describe(Attributes& to) const override {
    const auto& [options] = *this;
    describe_options(to, options);
  }
  Specs infer(std::span<const Spec> in) const override {
    refuse_unless_rows(in[0], in.subspan(1), options_.axes);
    return {in[0]};
  }
  std::vector<Overwrite> may_overwrite() const override { return {{0, 0}}; }

  // The moments are computed again: a row is in the cache when its gradient is, and only x needs to
  // be kept.
  Tensors gradient(const Node& node, const Tensors& dy) const override {
    return apply_all(std::make_shared<LayerNormalizeGradient>(options_),
                     {node.input(0), node.input(1), dy[0]}, node.where);
  }
  KernelPtr kernel(const KernelRequest& request) const override {
    return kernels::make_layer_norm(request, options_);
  }

  Arrays reference(std::span<const Array> in) const override {
    Array y(in[0].spec);
    const Rows rows{in[0], options_};
    for (int64_t r = 0; r < rows.count; ++r) {
      const double centre = rows.mean(r), scale = rows.inverse_deviation(r);
      for (int64_t i = 0; i < rows.size; ++i)
        y[r * rows.size + i] = (in[0][r * rows.size + i] - centre) * scale * in[1][i] + in[2][i];
    }
    return {y};
  }

 private:
  LayerNormOptions options_;
};

}  // namespace

Tensor layer_normalize(const Operand& x, const Tensor& gamma, const Tensor& beta,
                       const LayerNormalizeOptions& options) {
  if (options.axes < 1 || options.axes > x.tensor.rank())
    throw InvalidArgument(fmt::format("layer_normalize: {} trailing axes are not in {}",
                                      options.axes, x.tensor.shape().to_string()));
  const Shape row = row_shape(x.tensor.shape(), options.axes);
  const LayerNormOptions kept{options.epsilon, options.centered, options.axes};
  return apply(std::make_shared<LayerNormalize>(kept),
               {x.tensor, gamma.defined() ? gamma : broadcast_to(1.0, row),
                beta.defined() ? beta : broadcast_to(0.0, row)},
               x.where);
}

}  // namespace plimsoll
