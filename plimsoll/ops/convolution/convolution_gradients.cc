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

OpPtr forward_op(const ConvolutionOptions& options, bool bias) {
  return conv2d_op({.options = options, .bias = bias});
}
OpPtr forward_op(const VolumeConvolutionOptions& options, bool bias) {
  return conv3d_op({.options = options, .bias = bias});
}

template <size_t kAxes>
class InputGradient final : public Op {
 public:
  InputGradient(const PerAxis<kAxes>& input_size, const ConvolutionOptionsOver<kAxes>& options)
      : input_size_(input_size), options_(options) {}

  std::string_view name() const override {
    return kAxes == 3 ? "conv3d_input_gradient" : "conv2d_input_gradient";
  }
  // A transposed convolution is one.
  bool keeps_samples_apart(const SampleAxes& axes) const override {
    return axes.are_rows() && axes.in_axes[0] < 0;
  }
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
    return {convolution_kernel_gradient<kAxes>(
                gradients[0], dy, spatial_sizes<kAxes>(kernel.shape(), 0), options_, false)
                .kernel,
            apply(forward_op(options_, false), {gradients[0], kernel}, node.where)};
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
    constexpr int kRank = static_cast<int>(kAxes) + 2;
    const int64_t channels = kernel.rank() == kRank ? kernel[kRank - 2] * options_.groups : 0;
    Shape x{dy.rank() == kRank ? dy[0] : 0};
    for (const int64_t size : input_size_) x.push_back(size);
    x.push_back(channels);
    return convolution_problem(x, kernel, options_);
  }

  PerAxis<kAxes> input_size_;
  ConvolutionOptionsOver<kAxes> options_;
};

template <size_t kAxes>
class KernelGradient final : public Op {
 public:
  KernelGradient(const PerAxis<kAxes>& kernel_size, const ConvolutionOptionsOver<kAxes>& options,
                 bool bias)
      : kernel_size_(kernel_size), options_(options), bias_(bias) {}

  std::string_view name() const override {
    return kAxes == 3 ? "conv3d_kernel_gradient" : "conv2d_kernel_gradient";
  }
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
    return {convolution_input_gradient<kAxes>(gradients[0], dy, spatial_sizes<kAxes>(x.shape(), 1),
                                              options_),
            apply(forward_op(options_, bias), inputs, node.where)};
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
    constexpr int kRank = static_cast<int>(kAxes) + 2;
    Shape kernel;
    for (const int64_t size : kernel_size_) kernel.push_back(size);
    kernel.push_back(x.rank() == kRank ? x.back() / options_.groups : 0);
    kernel.push_back(dy.rank() == kRank ? dy.back() : 0);
    return convolution_problem(x, kernel, options_);
  }

  PerAxis<kAxes> kernel_size_;
  ConvolutionOptionsOver<kAxes> options_;
  bool bias_;
};

}  // namespace

template <size_t kAxes>
Tensor convolution_input_gradient(const Operand& kernel, const Operand& dy,
                                  const PerAxis<kAxes>& input_size,
                                  const ConvolutionOptionsOver<kAxes>& options) {
  return apply(std::make_shared<InputGradient<kAxes>>(input_size, options),
               {kernel.tensor, dy.tensor}, dy.where);
}

template <size_t kAxes>
ConvolutionWeightGradients convolution_kernel_gradient(const Operand& x, const Operand& dy,
                                                       const PerAxis<kAxes>& kernel_size,
                                                       const ConvolutionOptionsOver<kAxes>& options,
                                                       bool bias) {
  const Tensors both =
      apply_all(std::make_shared<KernelGradient<kAxes>>(kernel_size, options, bias),
                {x.tensor, dy.tensor}, dy.where);
  return {both[0], bias ? both[1] : Tensor()};
}

template Tensor convolution_input_gradient(const Operand&, const Operand&, const PerAxis<2>&,
                                           const ConvolutionOptionsOver<2>&);
template Tensor convolution_input_gradient(const Operand&, const Operand&, const PerAxis<3>&,
                                           const ConvolutionOptionsOver<3>&);
template ConvolutionWeightGradients convolution_kernel_gradient(const Operand&, const Operand&,
                                                                const PerAxis<2>&,
                                                                const ConvolutionOptionsOver<2>&,
                                                                bool);
template ConvolutionWeightGradients convolution_kernel_gradient(const Operand&, const Operand&,
                                                                const PerAxis<3>&,
                                                                const ConvolutionOptionsOver<3>&,
                                                                bool);

}  // namespace plimsoll
