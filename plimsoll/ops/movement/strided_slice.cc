#include "plimsoll/ops/movement/strided_slice.h"

#include <fmt/format.h>

#include <cstdlib>

#include "plimsoll/base/error.h"
#include "plimsoll/graph/node.h"
#include "plimsoll/graph/op.h"
#include "plimsoll/graph/pending.h"
#include "plimsoll/kernels/movement/strided_slice.h"
#include "plimsoll/ops/movement/part_of_value.h"

namespace plimsoll {
namespace {

using Numbers = std::vector<int64_t>;

Tensor strided_scatter(const Tensor& x, const Shape& shape, const Numbers& begin,
                       const Numbers& step);

// Calls body(large index, small index) for every element of the small tensor.
template <class Body>
void for_each_element(const Shape& large, const Shape& small, const Numbers& begin,
                      const Numbers& step, const Body& body) {
  for (int64_t i = 0; i < small.elements(); ++i) {
    int64_t at = 0, rest = i;
    for (int axis = small.rank() - 1; axis >= 0; rest /= small[axis--]) {
      const auto k = static_cast<size_t>(axis);
      at += (begin[k] + rest % small[axis] * step[k]) * large.elements(axis + 1, large.rank());
    }
    body(at, i);
  }
}

class StridedSlice final : public Op {
 public:
  // Numbers that count from the end stay as they are, so that the op can be inferred again for
  // another batch size.
  StridedSlice(Numbers begin, Numbers size, Numbers step)
      : begin_(std::move(begin)), size_(std::move(size)), step_(std::move(step)) {}

  std::string_view name() const override { return "strided_slice"; }
  bool keeps_samples_apart(const SampleAxes& axes) const override {
    return axes.keep_length() && step_[static_cast<size_t>(axes.in_axes[0])] == 1;
  }
  void describe(Attributes& to) const override {
    const auto& [begin, size, step] = *this;
    to.with("begin", begin).with("size", size).with("step", step);
  }

  Specs infer(std::span<const Spec> in) const override {
    Shape shape = in[0].shape;
    const auto rank = static_cast<size_t>(shape.rank());
    if (begin_.size() != rank || size_.size() != rank || step_.size() != rank)
      throw InvalidArgument(
          fmt::format("expected a begin, a size and a step for each of {} axes", rank));
    for (int i = 0; i < shape.rank(); ++i) shape[i] = size_of_axis(i, shape[i]);
    return {{in[0].dtype, shape}};
  }

  Tensors gradient(const Node& node, const Tensors& dy) const override {
    const Shape& shape = node.input(0).shape();
    return {strided_scatter(dy[0], shape, begin_of(shape), step_)};
  }

  StoragePtr value_at_once(const Spec& in, const Spec& out,
                           const StoragePtr& value) const override {
    return part_of_value(value, in, out, begin_of(in.shape), step_);
  }

  KernelPtr kernel(const KernelRequest& request) const override {
    return kernels::make_strided_slice(request, begin_of(request.inputs[0].shape), step_);
  }

  Arrays reference(std::span<const Array> in) const override {
    const Shape& shape = in[0].spec.shape;
    Array y(infer(std::span(&in[0].spec, 1))[0]);
    for_each_element(shape, y.spec.shape, begin_of(shape), step_,
                     [&](int64_t at, int64_t i) { y[i] = in[0][at]; });
    return {y};
  }

 private:
  Numbers begin_of(const Shape& shape) const {
    Numbers begin = begin_;
    for (int i = 0; i < shape.rank(); ++i)
      if (int64_t& first = begin[static_cast<size_t>(i)]; first < 0) first += shape[i];
    return begin;
  }

  int64_t size_of_axis(int axis, int64_t dim) const {
    const auto k = static_cast<size_t>(axis);
    const int64_t first = begin_[k] < 0 ? begin_[k] + dim : begin_[k], step = step_[k];
    if (step == 0) throw InvalidArgument(fmt::format("the step of axis {} is 0", axis));
    const int64_t left = step > 0 ? dim - first : first + 1;  // elements from the first on
    const int64_t most = left <= 0 ? 0 : (left - 1) / std::abs(step) + 1;
    const int64_t size = size_[k] == -1 ? most : size_[k];
    if (size < 0 || size > most || (size > 0 && (first < 0 || first >= dim)))
      throw InvalidArgument(
          fmt::format("axis {} of {} elements does not hold {} elements from {} in steps of {}",
                      axis, dim, size, first, step));
    return size;
  }

  Numbers begin_, size_, step_;
};

class StridedScatter final : public Op {
 public:
  StridedScatter(const Shape& shape, Numbers begin, Numbers step)
      : shape_(shape), begin_(std::move(begin)), step_(std::move(step)) {}

  std::string_view name() const override { return "strided_scatter"; }
  void describe(Attributes& to) const override {
    const auto& [shape, begin, step] = *this;
    to.with("shape", shape).with("begin", begin).with("step", step);
  }
  Specs infer(std::span<const Spec> in) const override { return {{in[0].dtype, shape_}}; }
  Tensors gradient(const Node& node, const Tensors& dy) const override {
    const Shape& shape = node.input(0).shape();
    return {strided_slice(dy[0], begin_, Numbers(shape.begin(), shape.end()), step_)};
  }
  KernelPtr kernel(const KernelRequest& request) const override {
    return kernels::make_strided_scatter(request, begin_, step_);
  }
  Arrays reference(std::span<const Array> in) const override {
    Array y({in[0].spec.dtype, shape_});
    for_each_element(shape_, in[0].spec.shape, begin_, step_,
                     [&](int64_t at, int64_t i) { y[at] = in[0][i]; });
    return {y};
  }

 private:
  Shape shape_;
  Numbers begin_, step_;
};

Tensor strided_scatter(const Tensor& x, const Shape& shape, const Numbers& begin,
                       const Numbers& step) {
  return apply(std::make_shared<StridedScatter>(shape, begin, step), {x}, x.value().node->where);
}

}  // namespace

Tensor strided_slice(const Operand& x, Numbers begin, Numbers size, Numbers step) {
  compute_if_steps_repeat_it(x.tensor);
  return apply(std::make_shared<StridedSlice>(std::move(begin), std::move(size), std::move(step)),
               {x.tensor}, x.where);
}

Tensor flip(const Operand& x, const std::vector<int>& axes) {
  const auto rank = static_cast<size_t>(x.tensor.rank());
  Numbers begin(rank, 0), step(rank, 1);
  for (const int axis : axes) {
    const auto k = static_cast<size_t>(normalize_axis(axis, x.tensor.rank(), "flip"));
    begin[k] = step[k] = -1;
  }
  return strided_slice(x, std::move(begin), Numbers(rank, -1), std::move(step));
}

}  // namespace plimsoll
