#include "plimsoll/ops/reduction/reduction.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "plimsoll/base/error.h"
#include "plimsoll/graph/node.h"
#include "plimsoll/graph/op.h"
#include "plimsoll/kernels/reduction/reduction.h"
#include "plimsoll/ops/elementwise/elementwise.h"
#include "plimsoll/ops/movement/movement.h"
#include "plimsoll/ops/op_settings.h"

namespace plimsoll {
namespace {

using kernels::Reduction;

enum class Kind { sum, mean, max, min, prod };

constexpr const char* kNames[] = {"sum", "mean", "max", "min", "prod"};

class Reduce final : public Op {
 public:
  // `axes` counted from the start; empty: all.
  Reduce(Kind kind, std::vector<int> axes, bool keepdims)
      : kind_(kind), axes_(std::move(axes)), keepdims_(keepdims) {}

  std::string_view name() const override { return kNames[static_cast<int>(kind_)]; }
  bool keeps_samples_apart(const SampleAxes&) const override { return true; }
  void describe(Attributes& to) const override {
    const auto& [kind, axes, keepdims] = *this;  // the name says the kind
    to.with("axis", axes).with("keepdims", keepdims, false);
  }

  Specs infer(std::span<const Spec> in) const override {
    const DType dtype = in[0].dtype;
    const bool float_only = kind_ == Kind::mean || kind_ == Kind::prod;
    if (dtype != DType::float32 && float_only)
      throw InvalidArgument("expected float32, found " + in[0].to_string() + "; cast it first");
    if (dtype == DType::uint8 || dtype == DType::boolean)
      throw InvalidArgument("expected float32, int32 or int64, found " + in[0].to_string() +
                            "; cast it first");
    const bool has_identity = kind_ == Kind::sum || kind_ == Kind::mean || kind_ == Kind::prod;
    if (!has_identity && count(in[0].shape) == 0)
      throw InvalidArgument("an empty axis has no " + std::string(name()) + "imum; found " +
                            in[0].to_string());
    return {{dtype, reduced(in[0].shape, keepdims_)}};
  }

  // Channels may lie in blocks if all axes between batch and channels are reduced: the result is
  // then in order.
  LayoutChoice layouts(std::span<const Spec> in, std::span<const Spec>,
                       std::span<const Layout> offered) const override {
    const int channels = in[0].shape.rank() - 1;
    const uint32_t between = ((1u << std::max(channels, 1)) - 1) & ~1u;
    const bool keeps_order = channels > 0 && (mask(in[0].shape) & between) == between &&
                             !((mask(in[0].shape) >> channels) & 1);
    return {{keeps_order ? offered[0] : Layout::plain()}, {Layout::plain()}};
  }

  Tensors gradient(const Node& node, const Tensors& output_gradients) const override {
    const Tensor x = node.input(0);
    if (x.dtype() != DType::float32) return {Tensor()};
    const Tensor dy = with_all_axes(x, output_gradients[0]);
    switch (kind_) {
      case Kind::sum:
        return {broadcast_to(dy, x.shape())};
      case Kind::mean:
        return {broadcast_to(dy * (1.0 / static_cast<double>(count(x.shape()))), x.shape())};
      case Kind::prod:
        return {gradient_of_prod(x, dy)};
      default:
        return {gradient_of_extreme(x, with_all_axes(x, node.output(0)), dy)};
    }
  }

  KernelPtr kernel(const KernelRequest& request) const override {
    const Shape& shape = request.inputs[0].shape;
    switch (kind_) {
      case Kind::sum:
        return kernels::make_reduction(request, Reduction::sum, mask(shape));
      case Kind::mean:
        return kernels::make_reduction(request, Reduction::sum, mask(shape),
                                       1.0 / static_cast<double>(count(shape)));
      case Kind::max:
        return kernels::make_reduction(request, Reduction::max, mask(shape));
      case Kind::min:
        return kernels::make_reduction(request, Reduction::min, mask(shape));
      default:
        return kernels::make_reduction(request, Reduction::prod, mask(shape));
    }
  }

  Arrays reference(std::span<const Array> in) const override {
    const Array& x = in[0];
    const Shape& shape = x.spec.shape;
    Array y({x.spec.dtype, reduced(shape, keepdims_)});
    for (double& value : y.data) value = identity();
    for (int64_t i = 0; i < shape.elements(); ++i) {
      double& value = y[output_index(i, shape)];
      value = combine(value, x[i]);
    }
    if (kind_ == Kind::mean)
      for (double& value : y.data) value /= static_cast<double>(count(shape));
    return {y};
  }

  ReductionSettings settings() const { return {axes_, keepdims_}; }

 private:
  uint32_t mask(const Shape& shape) const {
    uint32_t bits = axes_.empty() ? (1u << shape.rank()) - 1 : 0;
    for (const int axis : axes_) bits |= 1u << axis;
    return bits;
  }

  Shape reduced(const Shape& shape, bool keepdims) const {
    Shape result;
    for (int i = 0; i < shape.rank(); ++i) {
      if (!((mask(shape) >> i) & 1))
        result.push_back(shape[i]);
      else if (keepdims)
        result.push_back(1);
    }
    return result;
  }

  // How many elements are reduced to one.
  int64_t count(const Shape& shape) const {
    int64_t product = 1;
    for (int i = 0; i < shape.rank(); ++i)
      if ((mask(shape) >> i) & 1) product *= shape[i];
    return product;
  }

  Tensor with_all_axes(const Tensor& x, const Tensor& y) const {
    return keepdims_ ? y : reshape(y, reduced(x.shape(), true));
  }

  std::vector<int> axes_of(const Tensor& x) const {
    std::vector<int> axes = axes_;
    for (int i = 0; axes_.empty() && i < x.rank(); ++i) axes.push_back(i);
    return axes;
  }

  Tensor gradient_of_extreme(const Tensor& x, const Tensor& y, const Tensor& dy) const {
    const Tensor extreme = cast(equal(x, y), DType::float32);
    return extreme * (dy / plimsoll::sum(extreme, axes_of(x), true));
  }

  // The product of the other elements: the product of all divided by the element if none is zero;
  // if one is zero, only that one has a gradient.
  Tensor gradient_of_prod(const Tensor& x, const Tensor& dy) const {
    const Tensor is_zero = equal(x, 0.0);
    const Tensor nonzero = select(is_zero, 1.0, x);
    const Tensor zeros = plimsoll::sum(cast(is_zero, DType::float32), axes_of(x), true);
    const Tensor rest = plimsoll::prod(nonzero, axes_of(x), true);
    const Tensor at_nonzero = select(equal(zeros, 0.0), rest, 0.0) / nonzero;
    const Tensor at_zero = select(equal(zeros, 1.0), rest, 0.0);
    return select(is_zero, at_zero, at_nonzero) * dy;
  }

  int64_t output_index(int64_t i, const Shape& shape) const {
    int64_t index = 0, step = 1;
    for (int axis = shape.rank() - 1; axis >= 0; --axis) {
      if (!((mask(shape) >> axis) & 1)) {
        index += i % shape[axis] * step;
        step *= shape[axis];
      }
      i /= shape[axis];
    }
    return index;
  }

  double identity() const {
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    if (kind_ == Kind::max) return -kInfinity;
    if (kind_ == Kind::min) return kInfinity;
    return kind_ == Kind::prod ? 1 : 0;
  }
  double combine(double a, double b) const {
    if (kind_ == Kind::max) return b > a || std::isnan(b) ? b : a;
    if (kind_ == Kind::min) return b < a || std::isnan(b) ? b : a;
    return kind_ == Kind::prod ? a * b : a + b;
  }

  Kind kind_;
  std::vector<int> axes_;
  bool keepdims_;
};

Tensor reduce(Kind kind, const Operand& x, std::vector<int> axes, bool keepdims) {
  const char* name = kNames[static_cast<int>(kind)];
  for (int& axis : axes) axis = normalize_axis(axis, x.tensor.rank(), name);
  for (size_t i = 0; i < axes.size(); ++i)
    for (size_t j = 0; j < i; ++j)
      if (axes[i] == axes[j])
        throw InvalidArgument(fmt::format("{}: axis {} is given twice", name, axes[i]));
  return apply(std::make_shared<Reduce>(kind, std::move(axes), keepdims), {x.tensor}, x.where);
}

}  // namespace

Tensor sum(const Operand& x, std::vector<int> axes, bool keepdims) {
  return reduce(Kind::sum, x, std::move(axes), keepdims);
}
Tensor mean(const Operand& x, std::vector<int> axes, bool keepdims) {
  return reduce(Kind::mean, x, std::move(axes), keepdims);
}
Tensor max(const Operand& x, std::vector<int> axes, bool keepdims) {
  return reduce(Kind::max, x, std::move(axes), keepdims);
}
Tensor min(const Operand& x, std::vector<int> axes, bool keepdims) {
  return reduce(Kind::min, x, std::move(axes), keepdims);
}
Tensor prod(const Operand& x, std::vector<int> axes, bool keepdims) {
  return reduce(Kind::prod, x, std::move(axes), keepdims);
}

std::optional<ReductionSettings> reduction_settings(const Op& op) {
  const auto* found = dynamic_cast<const Reduce*>(&op);
  if (found == nullptr) return std::nullopt;
  return found->settings();
}

}  // namespace plimsoll
