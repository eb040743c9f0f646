#include "plimsoll/graph/node.h"
#include "plimsoll/ops/convolution/convolution_problem.h"
#include "plimsoll/ops/convolution/pooling.h"
#include "plimsoll/ops/convolution/pooling_problem.h"

namespace plimsoll {
namespace {

Tensor average_pool2d_gradient(const Tensor& dy, std::array<int64_t, 2> input_size,
                               const PoolingOptions& options);

// How many positions of the input each element of y averages.
std::vector<double> window_counts(const Shape& x, const kernels::PoolingProblem& problem) {
  std::vector<double> counts(static_cast<size_t>(pooled_shape(x, problem).elements()), 0.0);
  for_each_tap(x, problem, [&](int64_t, int64_t y, int64_t) { ++counts[static_cast<size_t>(y)]; });
  return counts;
}

class AveragePool final : public Op {
 public:
  explicit AveragePool(const PoolingOptions& options) : options_(options) {}

  std::string_view name() const override { return "average_pool2d"; }
  bool keeps_samples_apart(const SampleAxes& axes) const override { return axes.are_rows(); }
  void describe(Attributes& to) const override {
    const auto& [options] = *this;
    plimsoll::describe(to, options);
  }

  Specs infer(std::span<const Spec> in) const override {
    refuse_unless_float(in);
    return {{DType::float32, pooled_shape(in[0].shape, pooling_problem(in[0].shape, options_))}};
  }
  LayoutChoice layouts(std::span<const Spec>, std::span<const Spec>,
                       std::span<const Layout> offered) const override {
    return {{offered[0]}, {offered[0]}};
  }
  Tensors gradient(const Node& node, const Tensors& dy) const override {
    const Shape& x = node.input(0).shape();
    return {average_pool2d_gradient(dy[0], {x[1], x[2]}, options_)};
  }
  KernelPtr kernel(const KernelRequest& request) const override {
    return kernels::make_average_pool(request, pooling_problem(request.inputs[0].shape, options_));
  }
  Arrays reference(std::span<const Array> in) const override {
    const Shape& x = in[0].spec.shape;
    const auto problem = pooling_problem(x, options_);
    const auto counts = window_counts(x, problem);
    Array y({DType::float32, pooled_shape(x, problem)});
    for_each_tap(x, problem, [&](int64_t from, int64_t to, int64_t) {
      y[to] += in[0][from] / counts[static_cast<size_t>(to)];
    });
    return {y};
  }

 private:
  PoolingOptions options_;
};

class AveragePoolGradient final : public Op {
 public:
  AveragePoolGradient(std::array<int64_t, 2> input_size, const PoolingOptions& options)
      : input_size_(input_size), options_(options) {}

  std::string_view name() const override { return "average_pool2d_gradient"; }
  void describe(Attributes& to) const override {
    const auto& [input_size, options] = *this;
    to.with("input_size", input_size);
    plimsoll::describe(to, options);
  }
  Specs infer(std::span<const Spec> in) const override {
    refuse_unless_float(in);
    return {{DType::float32, unpooled_shape(in[0].shape, input_size_, options_)}};
  }
  LayoutChoice layouts(std::span<const Spec>, std::span<const Spec>,
                       std::span<const Layout> offered) const override {
    return {{offered[0]}, {offered[0]}};
  }
  Tensors gradient(const Node&, const Tensors& gradients) const override {
    return {average_pool2d(gradients[0], options_)};
  }
  KernelPtr kernel(const KernelRequest& request) const override {
    return kernels::make_average_pool_gradient(request,
                                               pooling_problem(request.outputs[0].shape, options_));
  }
  Arrays reference(std::span<const Array> in) const override {
    Array dx({DType::float32, unpooled_shape(in[0].spec.shape, input_size_, options_)});
    const auto problem = pooling_problem(dx.spec.shape, options_);
    const auto counts = window_counts(dx.spec.shape, problem);
    for_each_tap(dx.spec.shape, problem, [&](int64_t to, int64_t from, int64_t) {
      dx[to] += in[0][from] / counts[static_cast<size_t>(from)];
    });
    return {dx};
  }

 private:
  std::array<int64_t, 2> input_size_;
  PoolingOptions options_;
};

Tensor average_pool2d_gradient(const Tensor& dy, std::array<int64_t, 2> input_size,
                               const PoolingOptions& options) {
  return apply(std::make_shared<AveragePoolGradient>(input_size, options), {dy}, Place::here());
}

}  // namespace

Tensor average_pool2d(const Operand& x, const PoolingOptions& options) {
  return apply(std::make_shared<AveragePool>(options), {x.tensor}, x.where);
}

}  // namespace plimsoll
