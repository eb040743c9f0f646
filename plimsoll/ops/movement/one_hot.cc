#include "plimsoll/base/error.h"

#include <fmt/format.h>
#include "plimsoll/graph/op.h"
#include "plimsoll/kernels/movement/movement.h"
#include "plimsoll/ops/movement/movement.h"

namespace plimsoll {
namespace {

class OneHot final : public Op {
 public:
  explicit OneHot(int64_t depth) : depth_(depth) {}

  std::string_view name() const override { return "one_hot"; }
  bool keeps_samples_apart(const SampleAxes&) const override { return true; }
  void describe(Attributes& to) const override {
    const auto& [depth] = *this;
    to.with("num_classes", depth);
  }

  Specs infer(std::span<const Spec> in) const override {
    if (!is_integer(in[0].dtype))
      throw InvalidArgument("indices must be integers, found " + in[0].to_string());
    if (depth_ < 1)
      throw InvalidArgument(fmt::format("depth must be at least 1, found {}", depth_));
    Shape shape = in[0].shape;
    shape.push_back(depth_);
    return {{DType::float32, shape}};
  }

  Tensors gradient(const Node&, const Tensors&) const override { return {Tensor()}; }

  KernelPtr kernel(const KernelRequest& request) const override {
    return kernels::make_one_hot(request);
  }

  Arrays reference(std::span<const Array> in) const override {
    Array y(infer(std::span(&in[0].spec, 1))[0]);
    for (int64_t i = 0; i < in[0].spec.shape.elements(); ++i)
      if (in[0][i] >= 0 && in[0][i] < static_cast<double>(depth_))
        y[i * depth_ + static_cast<int64_t>(in[0][i])] = 1;
    return {y};
  }

 private:
  int64_t depth_;
};

}  // namespace

Tensor one_hot(const Operand& indices, int64_t depth) {
  return apply(std::make_shared<OneHot>(depth), {indices.tensor}, indices.where);
}

}  // namespace plimsoll
