#include "plimsoll/ops/convolution/convolution.h"

#include <fmt/format.h>

#include "plimsoll/base/error.h"
#include "plimsoll/graph/node.h"
#include "plimsoll/ops/convolution/convolution_fusion.h"
#include "plimsoll/ops/convolution/convolution_gradients.h"
#include "plimsoll/ops/convolution/convolution_problem.h"
#include "plimsoll/ops/elementwise/elementwise.h"

namespace plimsoll {
namespace {

template <size_t kAxes>
class Convolution final : public Op {
 public:
  explicit Convolution(const ConvolutionAttributes<kAxes>& attributes) : attributes_(attributes) {}

  const ConvolutionAttributes<kAxes>& attributes() const { return attributes_; }

  std::string_view name() const override { return kAxes == 3 ? "conv3d" : "conv2d"; }
  bool keeps_samples_apart(const SampleAxes& axes) const override {
    return axes.are_rows() && axes.in_axes[1] < 0;
  }
  void describe(Attributes& to) const override {
    const auto& [attributes] = *this;
    const auto& [options, bias, relu] = attributes;
    plimsoll::describe(to, options);
    to.with("bias", bias, false).with("relu", relu, false);
  }

  Specs infer(std::span<const Spec> in) const override {
    refuse_unless_float(in);
    const auto problem = problem_of(in);
    if (attributes_.bias && in[2].shape != Shape{problem.filters})
      throw InvalidArgument(fmt::format("bias must be of shape ({},), found {}", problem.filters,
                                        in[2].shape.to_string()));
    return {{DType::float32, y_shape(problem)}};
  }

  LayoutChoice layouts(std::span<const Spec> in, std::span<const Spec>,
                       std::span<const Layout> offered) const override {
    const auto chosen = layouts_for(problem_of(in), offered);
    LayoutChoice choice{std::vector<Layout>(in.size()), {chosen.y}};
    choice.inputs[0] = chosen.x;
    return choice;
  }

  Tensors gradient(const Node& node, const Tensors& output_gradients) const override {
    const Tensor x = node.input(0), kernel = node.input(1);
    const Tensor dy =
        attributes_.relu ? relu_gradient(node.output(0), output_gradients[0]) : output_gradients[0];
    const auto weights = convolution_kernel_gradient<kAxes>(
        x, dy, spatial_sizes<kAxes>(kernel.shape(), 0), attributes_.options, attributes_.bias);
    Tensors answer = {convolution_input_gradient<kAxes>(
                          kernel, dy, spatial_sizes<kAxes>(x.shape(), 1), attributes_.options),
                      weights.kernel};
    if (attributes_.bias) answer.push_back(weights.bias);
    return answer;
  }

  KernelPtr kernel(const KernelRequest& request) const override {
    return kernels::make_convolution(request, problem_of(request.inputs), attributes_.bias,
                                     attributes_.relu);
  }

  double operations(std::span<const Spec> in, std::span<const Spec>) const override {
    return plimsoll::operations(problem_of(in));
  }

  Arrays reference(std::span<const Array> in) const override {
    const auto problem =
        convolution_problem(in[0].spec.shape, in[1].spec.shape, attributes_.options);
    Array y({DType::float32, y_shape(problem)});
    for_each_product(problem,
                     [&](int64_t x, int64_t k, int64_t i) { y[i] += in[0][x] * in[1][k]; });
    for (int64_t i = 0; i < y.spec.shape.elements(); ++i) {
      if (attributes_.bias) y[i] += in[2][i % problem.filters];
      if (attributes_.relu && y[i] < 0) y[i] = 0;
    }
    return {y};
  }

 private:
  kernels::ConvolutionProblem problem_of(std::span<const Spec> in) const {
    return convolution_problem(in[0].shape, in[1].shape, attributes_.options);
  }

  ConvolutionAttributes<kAxes> attributes_;
};

}  // namespace

Tensor conv2d(const Operand& x, const Operand& kernel, const ConvolutionOptions& options) {
  return apply(conv2d_op({.options = options}), {x.tensor, kernel.tensor}, x.where);
}

Tensor conv2d(const Operand& x, const Operand& kernel, const Operand& bias,
              const ConvolutionOptions& options) {
  return apply(conv2d_op({.options = options, .bias = true}),
               {x.tensor, kernel.tensor, bias.tensor}, x.where);
}

Tensor conv3d(const Operand& x, const Operand& kernel, const VolumeConvolutionOptions& options) {
  return apply(conv3d_op({.options = options}), {x.tensor, kernel.tensor}, x.where);
}

Tensor conv3d(const Operand& x, const Operand& kernel, const Operand& bias,
              const VolumeConvolutionOptions& options) {
  return apply(conv3d_op({.options = options, .bias = true}),
               {x.tensor, kernel.tensor, bias.tensor}, x.where);
}

OpPtr conv2d_op(const Conv2dAttributes& attributes) {
  return std::make_shared<Convolution<2>>(attributes);
}

OpPtr conv3d_op(const Conv3dAttributes& attributes) {
  return std::make_shared<Convolution<3>>(attributes);
}

std::optional<Conv2dAttributes> conv2d_attributes(const Op& op) {
  const auto* convolution = dynamic_cast<const Convolution<2>*>(&op);
  if (convolution == nullptr) return std::nullopt;
  return convolution->attributes();
}

OpPtr with_relu(const Op& op) {
  auto attributes = conv2d_attributes(op);
  if (!attributes) return nullptr;
  attributes->relu = true;
  return conv2d_op(*attributes);
}

}  // namespace plimsoll
