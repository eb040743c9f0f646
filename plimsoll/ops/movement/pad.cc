#include "plimsoll/base/error.h"

#include <fmt/format.h>
#include "plimsoll/graph/node.h"
#include "plimsoll/graph/op.h"
#include "plimsoll/kernels/movement/movement.h"
#include "plimsoll/ops/movement/movement.h"

namespace plimsoll {
namespace {

using Paddings = std::vector<std::pair<int64_t, int64_t>>;

class Pad final : public Op {
 public:
  Pad(Paddings paddings, double value) : paddings_(std::move(paddings)), value_(value) {}

  std::string_view name() const override { return "pad"; }
  bool keeps_samples_apart(const SampleAxes& axes) const override { return axes.keep_length(); }
  void describe(Attributes& to) const override {
    const auto& [paddings, value] = *this;
    to.with("pad_width", paddings).with("constant_values", value, 0);
  }

  Specs infer(std::span<const Spec> in) const override {
    Shape out = in[0].shape;
    if (paddings_.size() != static_cast<size_t>(out.rank()))
      throw InvalidArgument(fmt::format("expected a pair of paddings for each of {} axes, found {}",
                                        out.rank(), paddings_.size()));
    for (int i = 0; i < out.rank(); ++i) {
      const auto [before, after] = paddings_[static_cast<size_t>(i)];
      if (before < 0 || after < 0)
        throw InvalidArgument(fmt::format(
            "paddings must not be negative, found ({}, {}) for axis {}", before, after, i));
      out[i] += before + after;
    }
    return {{in[0].dtype, out}};
  }

  LayoutChoice layouts(std::span<const Spec>, std::span<const Spec>,
                       std::span<const Layout> offered) const override {
    const int64_t block = offered[0].channel_block;
    const bool whole =
        block > 0 && paddings_.back().first % block == 0 && paddings_.back().second % block == 0;
    const Layout layout = whole ? offered[0] : Layout::plain();
    return {{layout}, {layout}};
  }

  Tensors gradient(const Node& node, const Tensors& dy) const override {
    std::vector<int64_t> begin, size;
    for (int i = 0; i < dy[0].rank(); ++i) {
      const auto [before, after] = paddings_[static_cast<size_t>(i)];
      begin.push_back(before);
      size.push_back(after == 0 ? -1 : node.input(0).shape()[i]);
    }
    return {slice(dy[0], std::move(begin), std::move(size))};
  }

  KernelPtr kernel(const KernelRequest& request) const override {
    return kernels::make_pad(request, paddings_, value_);
  }

  Arrays reference(std::span<const Array> in) const override {
    Array y(infer(std::span(&in[0].spec, 1))[0]);
    const Shape &from = in[0].spec.shape, &to = y.spec.shape;
    for (int64_t i = 0; i < to.elements(); ++i) {
      int64_t source = 0, rest = i;
      bool inside = true;
      for (int axis = to.rank() - 1; axis >= 0; rest /= to[axis--]) {
        const int64_t at = rest % to[axis] - paddings_[static_cast<size_t>(axis)].first;
        inside &= 0 <= at && at < from[axis];
        source += at * from.elements(axis + 1, from.rank());
      }
      y[i] = inside ? in[0][source] : value_;
    }
    return {y};
  }

 private:
  Paddings paddings_;
  double value_;
};

}  // namespace

Tensor pad(const Operand& x, Paddings paddings, double value) {
  return apply(std::make_shared<Pad>(std::move(paddings), value), {x.tensor}, x.where);
}

}  // namespace plimsoll
