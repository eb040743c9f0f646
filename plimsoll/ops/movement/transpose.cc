#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "plimsoll/base/error.h"
#include "plimsoll/graph/op.h"
#include "plimsoll/kernels/movement/movement.h"
#include "plimsoll/ops/movement/movement.h"
#include "plimsoll/ops/op_settings.h"

namespace plimsoll {
namespace {

class Transpose final : public Op {
 public:
  explicit Transpose(std::vector<int> permutation) : permutation_(std::move(permutation)) {}

  std::string_view name() const override { return "transpose"; }
  bool keeps_samples_apart(const SampleAxes&) const override { return true; }
  void describe(Attributes& to) const override {
    const auto& [permutation] = *this;
    to.with("axes", permutation);
  }

  Specs infer(std::span<const Spec> in) const override {
    const Shape& shape = in[0].shape;
    std::vector<int> sorted = permutation_, axes(static_cast<size_t>(shape.rank()));
    std::ranges::sort(sorted);
    std::iota(axes.begin(), axes.end(), 0);
    if (sorted != axes)
      throw InvalidArgument(fmt::format("the permutation must hold each of the {} axes of {} once",
                                        shape.rank(), shape.to_string()));
    Shape out;
    for (const int axis : permutation_) out.push_back(shape[axis]);
    return {{in[0].dtype, out}};
  }

  Tensors gradient(const Node&, const Tensors& dy) const override {
    std::vector<int> inverse(permutation_.size());
    for (size_t i = 0; i < inverse.size(); ++i)
      inverse[static_cast<size_t>(permutation_[i])] = static_cast<int>(i);
    return {transpose(dy[0], std::move(inverse))};
  }

  KernelPtr kernel(const KernelRequest& request) const override {
    return kernels::make_transpose(request, permutation_);
  }

  Arrays reference(std::span<const Array> in) const override {
    Array y(infer(std::span(&in[0].spec, 1))[0]);
    const Shape &from = in[0].spec.shape, &to = y.spec.shape;
    for (int64_t i = 0; i < to.elements(); ++i) {
      int64_t source = 0, rest = i;
      for (int axis = to.rank() - 1; axis >= 0; rest /= to[axis--]) {
        const int own = permutation_[static_cast<size_t>(axis)];
        source += rest % to[axis] * from.elements(own + 1, from.rank());
      }
      y[i] = in[0][source];
    }
    return {y};
  }

  const std::vector<int>& permutation() const { return permutation_; }

 private:
  std::vector<int> permutation_;
};

}  // namespace

Tensor transpose(const Operand& x, std::vector<int> permutation) {
  const int rank = x.tensor.rank();
  if (permutation.empty())
    for (int axis = rank; axis-- > 0;) permutation.push_back(axis);
  for (int& axis : permutation) axis = normalize_axis(axis, rank, "transpose");
  return apply(std::make_shared<Transpose>(std::move(permutation)), {x.tensor}, x.where);
}

std::optional<std::vector<int>> transpose_permutation(const Op& op) {
  const auto* found = dynamic_cast<const Transpose*>(&op);
  if (found == nullptr) return std::nullopt;
  return found->permutation();
}

}  // namespace plimsoll
