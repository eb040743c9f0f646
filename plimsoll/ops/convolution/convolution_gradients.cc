#include "plimsoll/ops/convolution/convolution_gradients.h"

#include <string>

#include "plimsoll/base/error.h"
#include "plimsoll/graph/node.h"
#include "plimsoll/ops/convolution/convolution_fusion.h"
#include "plimsoll/ops/convolution/convolution_problem.h"
#include "plimsoll/ops/movement/movement.h"

namespace plimsoll {
namespace {

using kernels::ConvolutionProblem;

// The batch is dy's, so that the ops can be inferred again for another one.
void refuse_unless_gradient(const Shape& dy, const ConvolutionProblem& problem) {
  if (dy != y_shape(problem))
    throw InvalidArgument("dy must be of shape " + y_shape(problem).to_string() + ", found " +
                          dy.to_string());
}

int64_t batch_of(const Shape& dy) {
  return dy.rank() == 4 ? dy[0] : 0;
}

class InputGradient final : public Op {
 public:
  InputGradient(std::array<int64_t, 2> input_size, const ConvolutionOptions& options)
      : input_size_(input_size), options_(options) {}

  std::string_view name() const override { return "conv2d_input_gradient"; }
  void describe(Attributes& to) const override {
    const auto& [input_size, options] = *this;
    to.with("input_size", input_size);
    plimsoll::describe(to, options);
  }
  Specs infer(std::span<const Spec> in) const override {
    refuse_unless_float(in);
    const auto problem = problem_of(in[0].shape, in[1].shape);
    refuse_unless_gradient(in[1].shape, problem);
    return {{DType::float32, x_shape(problem)}};
  }
  LayoutChoice layouts(std::span<const Spec> in, std::span<const Spec>,
                       std::span<const Layout> offered) const override {
    const auto chosen = layouts_for(problem_of(in[0].shape, in[1].shape), offered);
    return {{Layout::plain(), chosen.y}, {chosen.x}};
  }

  // Linear in the kernel and in dy.
  Tensors gradient(const Node& node, const Tensors& gradients) const override {
    const Tensor kernel = node.input(0), dy = node.input(1);
    return {conv2d_kernel_gradient(gradients[0], dy, {kernel.shape()[0], kernel.shape()[1]},
                                   options_, false)
                .kernel,
            apply(conv2d_op({.options = options_}), {gradients[0], kernel}, node.where)};
  }

  KernelPtr kernel(const KernelRequest& request) const override {
    return kernels::make_convolution_input_gradient(
        request, problem_of(request.inputs[0].shape, request.inputs[1].shape));
  }
  double operations(std::span<const Spec> in, std::span<const Spec>) const override {
    return plimsoll::operations(problem_of(in[0].shape, in[1].shape));
  }
  Arrays reference(std::span<const Array> in) const override {
    const auto problem = problem_of(in[0].spec.shape, in[1].spec.shape);
    Array dx({DType::float32, x_shape(problem)});
    for_each_product(problem,
                     [&](int64_t x, int64_t k, int64_t y) { dx[x] += in[0][k] * in[1][y]; });
    return {dx};
  }

 private:
  ConvolutionProblem problem_of(const Shape& kernel, const Shape& dy) const {
    const int64_t channels = kernel.rank() == 4 ? kernel[2] * options_.groups : 0;
    return convolution_problem({batch_of(dy), input_size_[0], input_size_[1], channels}, kernel,
                               options_);
  }

  std::array<int64_t, 2> input_size_;
  ConvolutionOptions options_;
};

class KernelGradient final : public Op {
 public:
  KernelGradient(std::array<int64_t, 2> kernel_size, const ConvolutionOptions& options, bool bias)
      : kernel_size_(kernel_size), options_(options), bias_(bias) {}

  std::string_view name() const override { return "conv2d_kernel_gradient"; }
  void describe(Attributes& to) const override {
    const auto& [kernel_size, options, bias] = *this;
    to.with("kernel_size", kernel_size).with("bias", bias);
    plimsoll::describe(to, options);
  }
  Specs infer(std::span<const Spec> in) const override {
    refuse_unless_float(in);
    const auto problem = problem_of(in[0].shape, in[1].shape);
    refuse_unless_gradient(in[1].shape, problem);
    return {{DType::float32, kernel_shape(problem)},
            {DType::float32, {bias_ ? problem.filters : 0}}};
  }
  LayoutChoice layouts(std::span<const Spec> in, std::span<const Spec>,
                       std::span<const Layout> offered) const override {
    const auto chosen = layouts_for(problem_of(in[0].shape, in[1].shape), offered);
    return {{chosen.x, chosen.y}, {Layout::plain(), Layout::plain()}};
  }

  // Linear in x and in dy.
  Tensors gradient(const Node& node, const Tensors& gradients) const override {
    const Tensor x = node.input(0), dy = node.input(1);
    if (!gradients[0].defined()) return {Tensor(), broadcast_to(gradients[1], dy.shape())};
    const bool bias = bias_ && gradients[1].defined();
    Tensors inputs = {x, gradients[0]};
    if (bias) inputs.push_back(gradients[1]);
    return {conv2d_input_gradient(gradients[0], dy, {x.shape()[1], x.shape()[2]}, options_),
            apply(conv2d_op({.options = options_, .bias = bias}), inputs, node.where)};
  }

  OpPtr pruned(std::span<const bool> used) const override {
    if (!bias_ || used[1]) return nullptr;
    return std::make_shared<KernelGradient>(kernel_size_, options_, false);
  }

  KernelPtr kernel(const KernelRequest& request) const override {
    return kernels::make_convolution_kernel_gradient(
        request, problem_of(request.inputs[0].shape, request.inputs[1].shape), bias_);
  }
  double operations(std::span<const Spec> in, std::span<const Spec>) const override {
    return plimsoll::operations(problem_of(in[0].shape, in[1].shape));
  }
  Arrays reference(std::span<const Array> in) const override {
    const auto problem = problem_of(in[0].spec.shape, in[1].spec.shape);
    Array dkernel({DType::float32, kernel_shape(problem)});
    Array dbias({DType::float32, {bias_ ? problem.filters : 0}});
    for_each_product(problem,
                     [&](int64_t x, int64_t k, int64_t y) { dkernel[k] += in[0][x] * in[1][y]; });
    for (int64_t i = 0; bias_ && i < in[1].spec.shape.elements(); ++i)
      dbias[i % problem.filters] += in[1][i];
    return {dkernel, dbias};
  }

 private:
  ConvolutionProblem problem_of(const Shape& x, const Shape& dy) const {
    const int64_t channels = x.rank() == 4 ? x[3] / options_.groups : 0;
    const int64_t filters = dy.rank() == 4 ? dy[3] : 0;
    return convolution_problem(x, {kernel_size_[0], kernel_size_[1], channels, filters}, options_);
  }

  std::array<int64_t, 2> kernel_size_;
  ConvolutionOptions options_;
  bool bias_;
};

}  // namespace

Tensor conv2d_input_gradient(const Operand& kernel, const Operand& dy,
                             std::array<int64_t, 2> input_size, const ConvolutionOptions& options) {
  return apply(std::make_shared<InputGradient>(input_size, options), {kernel.tensor, dy.tensor},
               dy.where);
}

Conv2dWeightGradients conv2d_kernel_gradient(const Operand& x, const Operand& dy,
                                             std::array<int64_t, 2> kernel_size,
                                             const ConvolutionOptions& options, bool bias) {
  const Tensors both = apply_all(std::make_shared<KernelGradient>(kernel_size, options, bias),
                                 {x.tensor, dy.tensor}, dy.where);
  return {both[0], bias ? both[1] : Tensor()};
}

}  // namespace plimsoll
