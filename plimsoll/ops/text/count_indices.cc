#include <fmt/format.h>

#include <algorithm>

#include "plimsoll/base/error.h"
#include "plimsoll/base/threads.h"
#include "plimsoll/ops/text/text.h"
#include "plimsoll/ops/text/text_op.h"

namespace plimsoll {
namespace {

class CountIndicesKernel final : public Kernel {
 public:
  CountIndicesKernel(const KernelRequest& request, int64_t depth, bool is_binary)
      : depth_(depth),
        length_(request.inputs[0].shape.back()),
        rows_(request.inputs[0].shape.elements(0, request.inputs[0].shape.rank() - 1)),
        is_wide_(request.inputs[0].dtype == DType::int64),
        is_weighted_(request.inputs.size() > 1),
        is_binary_(is_binary) {}

  void run(const KernelArguments& arguments) const override {
    if (is_wide_)
      count(arguments.input<int64_t>(0), arguments);
    else
      count(arguments.input<int32_t>(0), arguments);
  }

 private:
  template <class Index>
  void count(const Index* indices, const KernelArguments& arguments) const {
    const Index* negative =
        std::find_if(indices, indices + rows_ * length_, [](Index index) { return index < 0; });
    if (negative != indices + rows_ * length_)
      throw InvalidArgument(fmt::format("count_indices: index {} of row {} is negative", *negative,
                                        (negative - indices) / length_));
    const float* weights = is_weighted_ ? arguments.input(1) : nullptr;
    float* to = arguments.output(0);
    constexpr int64_t kElements = 16 * 1024;
    parallel_for(rows_, kElements / (depth_ + length_ + 1) + 1,
                 [=, this](int64_t begin, int64_t end) {
                   std::fill(to + begin * depth_, to + end * depth_, 0.0f);
                   for (int64_t i = begin * length_; i < end * length_; ++i) {
                     if (indices[i] >= depth_) continue;
                     float& counted = to[i / length_ * depth_ + indices[i]];
                     counted = is_binary_ ? 1 : counted + (weights == nullptr ? 1 : weights[i]);
                   }
                 });
  }

  int64_t depth_, length_, rows_;
  bool is_wide_, is_weighted_, is_binary_;
};

class CountIndices final : public TextOp {
 public:
  CountIndices(int64_t depth, bool is_binary) : depth_(depth), is_binary_(is_binary) {}

  std::string_view name() const override { return "count_indices"; }
  void describe(Attributes& to) const override {
    const auto& [depth, is_binary] = *this;
    to.with("depth", depth).with("is_binary", is_binary, false);
  }
  Specs infer(std::span<const Spec> in) const override {
    if ((in[0].dtype != DType::int32 && in[0].dtype != DType::int64) || in[0].shape.rank() < 1)
      throw InvalidArgument("expected rows of int32 or int64, found " + in[0].to_string());
    if (depth_ < 1)
      throw InvalidArgument(fmt::format("depth must be at least 1, found {}", depth_));
    if (in.size() > 1 && in[1] != Spec{DType::float32, in[0].shape})
      throw InvalidArgument("expected a float32 weight for each index of " + in[0].to_string() +
                            ", found " + in[1].to_string());
    Shape shape = in[0].shape;
    shape[shape.rank() - 1] = depth_;
    return {{DType::float32, shape}};
  }
  KernelPtr kernel(const KernelRequest& request) const override {
    return std::make_unique<CountIndicesKernel>(request, depth_, is_binary_);
  }
  Arrays reference(std::span<const Array> in) const override {
    Array out(infer(std::span(&in[0].spec, 1))[0]);
    const int64_t length = in[0].spec.shape.back();
    for (int64_t i = 0; i < in[0].spec.shape.elements(); ++i) {
      const double index = in[0][i];
      if (index >= static_cast<double>(depth_)) continue;
      double& counted = out[i / length * depth_ + static_cast<int64_t>(index)];
      counted = is_binary_ ? 1 : counted + (in.size() > 1 ? in[1][i] : 1);
    }
    return {out};
  }

 private:
  int64_t depth_;
  bool is_binary_;
};

}  // namespace

Tensor count_indices(const Operand& x, int64_t depth, bool is_binary) {
  return apply(std::make_shared<CountIndices>(depth, is_binary), {x.tensor}, x.where);
}

Tensor count_indices(const Operand& x, const Operand& weights, int64_t depth) {
  return apply(std::make_shared<CountIndices>(depth, false), {x.tensor, weights.tensor}, x.where);
}

}  // namespace plimsoll
