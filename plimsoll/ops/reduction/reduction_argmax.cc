#include <fmt/format.h>

#include <limits>

#include "plimsoll/base/error.h"
#include "plimsoll/graph/op.h"
#include "plimsoll/kernels/reduction/reduction.h"
#include "plimsoll/ops/reduction/reduction.h"

namespace plimsoll {
namespace {

class Argmax final : public Op {
 public:
  explicit Argmax(int axis) : axis_(axis) {}

  std::string_view name() const override { return "argmax"; }
  bool keeps_samples_apart(const SampleAxes&) const override { return true; }
  void describe(Attributes& to) const override {
    const auto& [axis] = *this;
    to.with("axis", axis);
  }

  Specs infer(std::span<const Spec> in) const override {
    const int64_t size = in[0].shape[axis_];
    if (size == 0 || size > std::numeric_limits<int32_t>::max())
      throw InvalidArgument(fmt::format("axis {} must hold from 1 to 2^31 - 1 elements, found {}",
                                        axis_, in[0].to_string()));
    return {{DType::int32, in[0].shape.without(axis_)}};
  }

  // Constant wherever it is smooth.
  Tensors gradient(const Node&, const Tensors&) const override { return {Tensor()}; }

  KernelPtr kernel(const KernelRequest& request) const override {
    return kernels::make_argmax(request, axis_);
  }

  Arrays reference(std::span<const Array> in) const override {
    const Shape& shape = in[0].spec.shape;
    Array y({DType::int32, shape.without(axis_)});
    const int64_t size = shape[axis_], inner = shape.elements(axis_ + 1, shape.rank());
    for (int64_t i = 0; i < y.spec.shape.elements(); ++i) {
      const int64_t first = i / inner * size * inner + i % inner;
      int64_t best = 0;
      for (int64_t j = 1; j < size; ++j) {
        const double value = in[0][first + j * inner], largest = in[0][first + best * inner];
        if (value > largest || (value != value && largest == largest)) best = j;
      }
      y[i] = static_cast<double>(best);
    }
    return {y};
  }

 private:
  int axis_;
};

}  // namespace

Tensor argmax(const Operand& x, int axis) {
  const int at = normalize_axis(axis, x.tensor.rank(), "argmax");
  return apply(std::make_shared<Argmax>(at), {x.tensor}, x.where);
}

}  // namespace plimsoll
