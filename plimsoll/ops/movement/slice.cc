#include "plimsoll/base/error.h"

#include <fmt/format.h>
#include "plimsoll/graph/node.h"
#include "plimsoll/graph/op.h"
#include "plimsoll/graph/pending.h"
#include "plimsoll/kernels/movement/movement.h"
#include "plimsoll/ops/movement/movement.h"
#include "plimsoll/ops/movement/part_of_value.h"
#include "plimsoll/ops/op_settings.h"

namespace plimsoll {
namespace {

class Slice final : public Op {
 public:
  // `size` keeps its -1, so that the op can be inferred again for another batch size.
  Slice(std::vector<int64_t> begin, std::vector<int64_t> size)
      : begin_(std::move(begin)), size_(std::move(size)) {}

  std::string_view name() const override { return "slice"; }
  bool keeps_samples_apart(const SampleAxes& axes) const override { return axes.keep_length(); }
  void describe(Attributes& to) const override {
    const auto& [begin, size] = *this;
    to.with("start_indices", begin).with("shape", size);
  }

  Specs infer(std::span<const Spec> in) const override {
    const Shape& shape = in[0].shape;
    const auto rank = static_cast<size_t>(shape.rank());
    if (begin_.size() != rank || size_.size() != rank)
      throw InvalidArgument(
          fmt::format("expected a begin and a size for each of {} axes, found {} and {}", rank,
                      begin_.size(), size_.size()));
    Shape out = shape;
    for (int i = 0; i < shape.rank(); ++i) {
      const int64_t begin = begin_[static_cast<size_t>(i)], size = size_[static_cast<size_t>(i)];
      out[i] = size == -1 ? shape[i] - begin : size;
      if (begin < 0 || out[i] < 0 || begin + out[i] > shape[i])
        throw InvalidArgument(fmt::format("axis {} of {} does not hold {} elements from {}", i,
                                          shape.to_string(), size, begin));
    }
    return {{in[0].dtype, out}};
  }

  // Whole blocks of channels are taken from where they lie.
  LayoutChoice layouts(std::span<const Spec>, std::span<const Spec> out,
                       std::span<const Layout> offered) const override {
    const int64_t block = offered[0].channel_block;
    const bool whole = block > 0 && begin_.back() % block == 0 && out[0].shape.back() % block == 0;
    const Layout layout = whole ? offered[0] : Layout::plain();
    return {{layout}, {layout}};
  }

  Tensors gradient(const Node& node, const Tensors& dy) const override {
    const Shape &from = node.input(0).shape(), &to = dy[0].shape();
    std::vector<std::pair<int64_t, int64_t>> paddings;
    for (int i = 0; i < from.rank(); ++i) {
      const int64_t begin = begin_[static_cast<size_t>(i)];
      paddings.emplace_back(begin, from[i] - begin - to[i]);
    }
    return {pad(dy[0], std::move(paddings))};
  }

  StoragePtr value_at_once(const Spec& in, const Spec& out,
                           const StoragePtr& value) const override {
    return part_of_value(value, in, out, begin_, std::vector<int64_t>(begin_.size(), 1));
  }

  KernelPtr kernel(const KernelRequest& request) const override {
    return kernels::make_slice(request, begin_);
  }

  Arrays reference(std::span<const Array> in) const override {
    Array y(infer(std::span(&in[0].spec, 1))[0]);
    const Shape &from = in[0].spec.shape, &to = y.spec.shape;
    for (int64_t i = 0; i < to.elements(); ++i) {
      int64_t source = 0, rest = i;
      for (int axis = to.rank() - 1; axis >= 0; rest /= to[axis--])
        source += (rest % to[axis] + begin_[static_cast<size_t>(axis)]) *
                  from.elements(axis + 1, from.rank());
      y[i] = in[0][source];
    }
    return {y};
  }

  SliceBox box() const { return {begin_, size_}; }

 private:
  std::vector<int64_t> begin_, size_;
};

}  // namespace

Tensor slice(const Operand& x, std::vector<int64_t> begin, std::vector<int64_t> size) {
  compute_if_steps_repeat_it(x.tensor);
  return apply(std::make_shared<Slice>(std::move(begin), std::move(size)), {x.tensor}, x.where);
}

std::optional<SliceBox> slice_box(const Op& op) {
  const auto* found = dynamic_cast<const Slice*>(&op);
  if (found == nullptr) return std::nullopt;
  return found->box();
}

}  // namespace plimsoll
