#include "plimsoll/kernels/attention/softmax.h"

#include <algorithm>
#include <cmath>

#include "plimsoll/base/error.h"
#include "plimsoll/graph/node.h"
#include "plimsoll/graph/op.h"
#include "plimsoll/ops/op_settings.h"
#include "plimsoll/ops/reduction/reduction.h"

namespace plimsoll {
namespace {

using kernels::SoftmaxKind;

constexpr const char* kNames[] = {"softmax", "log_softmax", "softmax_gradient",
                                  "log_softmax_gradient"};

// Calls body(first, step) for each line along `axis`: its elements are first + i * step.
template <class Body>
void for_each_line(const Shape& shape, int axis, Body&& body) {
  const int64_t inner = shape.elements(axis + 1, shape.rank());
  for (int64_t o = 0; o < shape.elements(0, axis); ++o)
    for (int64_t i = 0; i < inner; ++i) body(o * shape[axis] * inner + i, inner);
}

void refuse_unless_float(const Spec& spec) {
  if (spec.dtype != DType::float32)
    throw InvalidArgument("expected float32, found " + spec.to_string());
}

// From the output y and its gradient dy.
class SoftmaxGradient final : public Op {
 public:
  SoftmaxGradient(SoftmaxKind kind, int axis) : kind_(kind), axis_(axis) {}

  std::string_view name() const override { return kNames[static_cast<int>(kind_)]; }
  void describe(Attributes& to) const override {
    const auto& [kind, axis] = *this;  // the name says the kind
    to.with("axis", axis);
  }
  Specs infer(std::span<const Spec> in) const override {
    refuse_unless_float(in[0]);
    if (in[0] != in[1])
      throw InvalidArgument("expected a gradient " + in[0].to_string() + ", found " +
                            in[1].to_string());
    return {in[0]};
  }
  std::vector<Overwrite> may_overwrite() const override { return {{1, 0}, {0, 0}}; }
  KernelPtr kernel(const KernelRequest& request) const override {
    return kernels::make_softmax(request, kind_, axis_);
  }

  Arrays reference(std::span<const Array> in) const override {
    const Array &y = in[0], &dy = in[1];
    const Shape& shape = y.spec.shape;
    Array dx(y.spec);
    const bool logarithm = kind_ == SoftmaxKind::log_softmax_gradient;
    for_each_line(shape, axis_, [&](int64_t first, int64_t step) {
      double sum = 0;
      const int64_t end = first + shape[axis_] * step;
      for (int64_t i = first; i < end; i += step) sum += logarithm ? dy[i] : y[i] * dy[i];
      for (int64_t i = first; i < end; i += step)
        dx[i] = logarithm ? dy[i] - std::exp(y[i]) * sum : y[i] * (dy[i] - sum);
    });
    return {dx};
  }

 private:
  SoftmaxKind kind_;
  int axis_;
};

class Softmax final : public Op {
 public:
  Softmax(SoftmaxKind kind, int axis) : kind_(kind), axis_(axis) {}

  std::string_view name() const override { return kNames[static_cast<int>(kind_)]; }
  bool keeps_samples_apart(const SampleAxes& axes) const override {
    return axes.out_axes[0] != axis_;
  }
  void describe(Attributes& to) const override {
    const auto& [kind, axis] = *this;  // the name says the kind
    to.with("axis", axis);
  }
  Specs infer(std::span<const Spec> in) const override {
    refuse_unless_float(in[0]);
    return {in[0]};
  }
  std::vector<Overwrite> may_overwrite() const override { return {{0, 0}}; }

  Tensors gradient(const Node& node, const Tensors& dy) const override {
    const SoftmaxKind kind = kind_ == SoftmaxKind::softmax ? SoftmaxKind::softmax_gradient
                                                           : SoftmaxKind::log_softmax_gradient;
    return {
        apply(std::make_shared<SoftmaxGradient>(kind, axis_), {node.output(0), dy[0]}, node.where)};
  }
  KernelPtr kernel(const KernelRequest& request) const override {
    return kernels::make_softmax(request, kind_, axis_);
  }

  Arrays reference(std::span<const Array> in) const override {
    const Array& x = in[0];
    const Shape& shape = x.spec.shape;
    Array y(x.spec);
    for_each_line(shape, axis_, [&](int64_t first, int64_t step) {
      const int64_t end = first + shape[axis_] * step;
      double largest = -INFINITY, sum = 0;
      for (int64_t i = first; i < end; i += step) largest = std::max(largest, x[i]);
      for (int64_t i = first; i < end; i += step) sum += std::exp(x[i] - largest);
      for (int64_t i = first; i < end; i += step)
        y[i] = kind_ == SoftmaxKind::softmax ? std::exp(x[i] - largest) / sum
                                             : x[i] - largest - std::log(sum);
    });
    return {y};
  }

  int axis() const { return axis_; }

 private:
  SoftmaxKind kind_;
  int axis_;
};

Tensor softmax_of(SoftmaxKind kind, const Operand& x, int axis) {
  const int at = normalize_axis(axis, x.tensor.rank(), kNames[static_cast<int>(kind)]);
  return apply(std::make_shared<Softmax>(kind, at), {x.tensor}, x.where);
}

}  // namespace

Tensor softmax(const Operand& x, int axis) {
  return softmax_of(SoftmaxKind::softmax, x, axis);
}

Tensor log_softmax(const Operand& x, int axis) {
  return softmax_of(SoftmaxKind::log_softmax, x, axis);
}

std::optional<int> softmax_axis(const Op& op) {
  const auto* found = dynamic_cast<const Softmax*>(&op);
  if (found == nullptr) return std::nullopt;
  return found->axis();
}

}  // namespace plimsoll
