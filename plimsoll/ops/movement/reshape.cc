#include "plimsoll/base/error.h"

#include <fmt/format.h>
#include "plimsoll/graph/node.h"
#include "plimsoll/graph/op.h"
#include "plimsoll/kernels/movement/copy.h"
#include "plimsoll/ops/movement/movement.h"
#include "plimsoll/ops/op_settings.h"
#include "plimsoll/tensor/text.h"

namespace plimsoll {
namespace {

class Reshape final : public Op {
 public:
  // `shape` keeps its -1, so that the op can be inferred again for another batch size.
  explicit Reshape(const Shape& shape) : shape_(shape) {}

  std::string_view name() const override { return "reshape"; }
  bool keeps_samples_apart(const SampleAxes& axes) const override {
    return axes.in[0].shape.elements(0, axes.in_axes[0]) ==
           axes.out[0].shape.elements(0, axes.out_axes[0]);
  }
  void describe(Attributes& to) const override {
    const auto& [shape] = *this;
    to.with("newshape", shape);
  }

  Specs infer(std::span<const Spec> in) const override {
    const int64_t elements = in[0].shape.elements();
    int64_t known = 1;
    int open = -1;
    for (int i = 0; i < shape_.rank(); ++i) {
      if (shape_[i] == -1 && open < 0) {
        open = i;
      } else if (shape_[i] < 0) {
        refuse(in[0], "at most one dimension may be -1, and none less than -1");
      } else {
        known *= shape_[i];
      }
    }
    Shape shape = shape_;
    if (open >= 0) {
      if (known == 0) refuse(in[0], "-1 cannot be computed if another dimension is 0");
      shape[open] = elements / known;
    }
    if (shape.elements() != elements)
      refuse(in[0], fmt::format("{} elements do not fill it", elements));
    if (holds_text(in[0]) && (shape.rank() == 0 || shape.back() != in[0].shape.back()))
      refuse(in[0], "a text stays in its slot, the last axis");
    return {{in[0].dtype, shape}};
  }

  // Blocks of channels stay where batch and channels do: the bytes are the same.
  LayoutChoice layouts(std::span<const Spec> in, std::span<const Spec> out,
                       std::span<const Layout> offered) const override {
    const Shape &from = in[0].shape, &to = out[0].shape;
    const bool same =
        from.rank() > 1 && to.rank() > 1 && from[0] == to[0] && from.back() == to.back();
    const Layout layout = same ? offered[0] : Layout::plain();
    return {{layout}, {layout}};
  }

  std::vector<Overwrite> may_overwrite() const override { return {{}}; }
  bool is_view() const override { return true; }

  Tensors gradient(const Node& node, const Tensors& dy) const override {
    return {reshape(dy[0], resizable(node.input(0).shape()))};
  }
  KernelPtr kernel(const KernelRequest& request) const override {
    return kernels::make_copy(request);
  }
  Arrays reference(std::span<const Array> in) const override {
    Array y(infer(std::span(&in[0].spec, 1))[0]);
    y.data = in[0].data;
    return {y};
  }

  // The same shape with its first dimension, the batch, left open.
  static Shape resizable(Shape shape) {
    if (shape.rank() > 0 && shape.elements() > 0) shape[0] = -1;
    return shape;
  }

  const Shape& shape() const { return shape_; }

 private:
  [[noreturn]] void refuse(const Spec& x, const std::string& why) const {
    throw InvalidArgument("cannot reshape " + x.shape.to_string() + " to " + shape_.to_string() +
                          ": " + why);
  }

  Shape shape_;
};

}  // namespace

Tensor reshape(const Operand& x, const Shape& shape) {
  return apply(std::make_shared<Reshape>(shape), {x.tensor}, x.where);
}

Tensor expand_dims(const Operand& x, int axis) {
  const int at = normalize_axis(axis, x.tensor.rank() + 1, "expand_dims");
  return reshape(Operand(x.tensor, x.where), Reshape::resizable(x.tensor.shape().with(at, 1)));
}

Tensor squeeze(const Operand& x, int axis) {
  const Shape& shape = x.tensor.shape();
  const int at = normalize_axis(axis, shape.rank(), "squeeze");
  if (shape[at] != 1)
    throw InvalidArgument(
        fmt::format("squeeze: axis {} of {} is not 1 long", axis, shape.to_string()));
  return reshape(Operand(x.tensor, x.where), Reshape::resizable(shape.without(at)));
}

std::optional<Shape> reshape_target(const Op& op) {
  const auto* found = dynamic_cast<const Reshape*>(&op);
  if (found == nullptr) return std::nullopt;
  return found->shape();
}

}  // namespace plimsoll
