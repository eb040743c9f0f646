#include "plimsoll/base/error.h"

#include <fmt/format.h>
#include "plimsoll/graph/node.h"
#include "plimsoll/graph/op.h"
#include "plimsoll/kernels/movement/movement.h"
#include "plimsoll/ops/movement/movement.h"
#include "plimsoll/ops/op_settings.h"

namespace plimsoll {
namespace {

class Concatenate final : public Op {
 public:
  explicit Concatenate(int axis) : axis_(axis) {}

  std::string_view name() const override { return "concatenate"; }
  bool keeps_samples_apart(const SampleAxes& axes) const override {
    return axes.out_axes[0] != axis_;
  }
  void describe(Attributes& to) const override {
    const auto& [axis] = *this;
    to.with("axis", axis);
  }

  Specs infer(std::span<const Spec> in) const override {
    Spec out = in[0];
    for (const Spec& part : in.subspan(1)) {
      if (part.dtype != out.dtype || part.shape.rank() != out.shape.rank() ||
          part.shape.without(axis_) != out.shape.without(axis_))
        throw InvalidArgument(fmt::format("parts must agree except along axis {}; found {} and {}",
                                          axis_, in[0].to_string(), part.to_string()));
      out.shape[axis_] += part.shape[axis_];
    }
    return {out};
  }

  // Blocks of channels stay, where all parts have whole ones.
  LayoutChoice layouts(std::span<const Spec> in, std::span<const Spec>,
                       std::span<const Layout> offered) const override {
    Layout layout;
    for (const Layout each : offered)
      if (layout.is_plain()) layout = each;
    for (const Spec& part : in)
      if (!layout.is_plain() && part.shape.back() % layout.channel_block != 0) layout = {};
    return {std::vector<Layout>(in.size(), layout), {layout}};
  }

  Tensors gradient(const Node& node, const Tensors& dy) const override {
    const auto rank = static_cast<size_t>(dy[0].rank());
    std::vector<int64_t> begin(rank, 0), size(rank, -1);
    const auto axis = static_cast<size_t>(axis_);
    Tensors answer;
    for (int i = 0; i < static_cast<int>(node.inputs.size()); ++i) {
      size[axis] = node.input(i).shape()[axis_];
      answer.push_back(slice(dy[0], begin, size));
      begin[axis] += size[axis];
    }
    return answer;
  }

  KernelPtr kernel(const KernelRequest& request) const override {
    return kernels::make_concatenate(request, axis_);
  }

  Arrays reference(std::span<const Array> in) const override {
    Specs specs;
    for (const Array& part : in) specs.push_back(part.spec);
    Array y(infer(specs)[0]);
    const int64_t inner = y.spec.shape.elements(axis_ + 1, y.spec.shape.rank());
    const int64_t stride = y.spec.shape[axis_] * inner;
    int64_t before = 0;
    for (const Array& part : in) {
      const int64_t row = part.spec.shape[axis_] * inner;
      for (int64_t i = 0; i < part.spec.shape.elements(); ++i)
        y[i / row * stride + before + i % row] = part[i];
      before += row;
    }
    return {y};
  }

  int axis() const { return axis_; }

 private:
  int axis_;
};

}  // namespace

Tensor concatenate(const Tensors& parts, int axis, Place where) {
  if (parts.empty()) throw InvalidArgument("concatenate: expected at least one tensor, found none");
  const int at = normalize_axis(axis, parts[0].rank(), "concatenate");
  return apply(std::make_shared<Concatenate>(at), parts, where);
}

std::optional<int> concatenate_axis(const Op& op) {
  const auto* found = dynamic_cast<const Concatenate*>(&op);
  if (found == nullptr) return std::nullopt;
  return found->axis();
}

}  // namespace plimsoll
