#include <fmt/format.h>

#include <cmath>

#include "plimsoll/base/error.h"
#include "plimsoll/graph/node.h"
#include "plimsoll/ops/convolution/convolution_problem.h"
#include "plimsoll/ops/convolution/pooling.h"
#include "plimsoll/ops/convolution/pooling_fusion.h"
#include "plimsoll/ops/convolution/pooling_problem.h"

namespace plimsoll {
namespace {

class MaxPool final : public Op {
 public:
  MaxPool(const PoolingOptions& options, bool index) : options_(options), index_(index) {}

  const PoolingOptions& options() const { return options_; }

  std::string_view name() const override { return "max_pool2d"; }
  bool keeps_samples_apart(const SampleAxes& axes) const override { return axes.are_rows(); }
  void describe(Attributes& to) const override {
    const auto& [options, index] = *this;
    plimsoll::describe(to, options);
    to.with("index", index, true);
  }

  Specs infer(std::span<const Spec> in) const override {
    refuse_unless_float(in);
    const auto problem = pooling_problem(in[0].shape, options_);
    if (index_ && problem.rows.size * problem.columns.size > kernels::kMostIndexedPositions)
      throw InvalidArgument(
          fmt::format("a window may hold {} positions at most, found {} x {}; reduce with max() "
                      "over the axes instead",
                      kernels::kMostIndexedPositions, problem.rows.size, problem.columns.size));
    const Shape y = pooled_shape(in[0].shape, problem);
    return {{DType::float32, y}, {DType::uint8, index_ ? y : Shape{0}}};
  }

  LayoutChoice layouts(std::span<const Spec>, std::span<const Spec>,
                       std::span<const Layout> offered) const override {
    return {{offered[0]}, {offered[0], index_ ? offered[0] : Layout::plain()}};
  }

  Tensors gradient(const Node& node, const Tensors& dy) const override {
    const Shape& x = node.input(0).shape();
    return {max_pool2d_gradient(node.output(1), dy[0], {x[1], x[2]}, options_)};
  }

  OpPtr pruned(std::span<const bool> used) const override {
    if (!index_ || used[1]) return nullptr;
    return std::make_shared<MaxPool>(options_, false);
  }

  KernelPtr kernel(const KernelRequest& request) const override {
    return kernels::make_max_pool(request, pooling_problem(request.inputs[0].shape, options_),
                                  index_);
  }

  Arrays reference(std::span<const Array> in) const override {
    const Shape& x = in[0].spec.shape;
    const auto problem = pooling_problem(x, options_);
    Array y({DType::float32, pooled_shape(x, problem)});
    Array index({DType::uint8, y.spec.shape});
    std::vector<bool> seen(y.data.size(), false);
    for_each_tap(x, problem, [&](int64_t from, int64_t to, int64_t tap) {
      const double value = in[0][from];
      const auto at = static_cast<size_t>(to);
      if (seen[at] && (std::isnan(y[to]) || value <= y[to])) return;
      seen[at] = true;
      y[to] = value;
      index[to] = static_cast<double>(tap);
    });
    if (!index_) index = Array({DType::uint8, {0}});
    return {y, index};
  }

 private:
  PoolingOptions options_;
  bool index_;  // true if the index is computed
};

class MaxPoolGradient final : public Op {
 public:
  MaxPoolGradient(std::array<int64_t, 2> input_size, const PoolingOptions& options)
      : input_size_(input_size), options_(options) {}

  std::string_view name() const override { return "max_pool2d_gradient"; }
  void describe(Attributes& to) const override {
    const auto& [input_size, options] = *this;
    to.with("input_size", input_size);
    plimsoll::describe(to, options);
  }

  Specs infer(std::span<const Spec> in) const override {
    refuse_unless_float(in.subspan(1));
    const Shape x = unpooled_shape(in[1].shape, input_size_, options_);
    if (in[0] != Spec{DType::uint8, in[1].shape})
      throw InvalidArgument("index must be uint8 of dy's shape, found " + in[0].to_string());
    return {{DType::float32, x}};
  }

  // The index is not converted: it stays where the pooling wrote it.
  LayoutChoice layouts(std::span<const Spec>, std::span<const Spec>,
                       std::span<const Layout> offered) const override {
    return {{offered[0], offered[0]}, {offered[0]}};
  }

  KernelPtr kernel(const KernelRequest& request) const override {
    return kernels::make_max_pool_gradient(request,
                                           pooling_problem(request.outputs[0].shape, options_));
  }

  Arrays reference(std::span<const Array> in) const override {
    Array dx({DType::float32, unpooled_shape(in[1].spec.shape, input_size_, options_)});
    for_each_tap(dx.spec.shape, pooling_problem(dx.spec.shape, options_),
                 [&](int64_t to, int64_t from, int64_t tap) {
                   if (in[0][from] == static_cast<double>(tap)) dx[to] += in[1][from];
                 });
    return {dx};
  }

 private:
  std::array<int64_t, 2> input_size_;
  PoolingOptions options_;
};

}  // namespace

Tensor max_pool2d(const Operand& x, const PoolingOptions& options) {
  return apply(max_pool2d_op(options), {x.tensor}, x.where);
}

OpPtr max_pool2d_op(const PoolingOptions& options) {
  return std::make_shared<MaxPool>(options, true);
}

std::optional<PoolingOptions> max_pool2d_options(const Op& op) {
  const auto* pooling = dynamic_cast<const MaxPool*>(&op);
  if (pooling == nullptr) return std::nullopt;
  return pooling->options();
}

Tensor max_pool2d_gradient(const Operand& index, const Operand& dy,
                           std::array<int64_t, 2> input_size, const PoolingOptions& options) {
  return apply(std::make_shared<MaxPoolGradient>(input_size, options), {index.tensor, dy.tensor},
               dy.where);
}

}  // namespace plimsoll
