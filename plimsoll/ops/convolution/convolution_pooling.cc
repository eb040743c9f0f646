#include "plimsoll/ops/convolution/convolution_pooling.h"

#include "plimsoll/base/error.h"
#include "plimsoll/graph/node.h"
#include "plimsoll/kernels/convolution/convolution_pooling.h"
#include "plimsoll/ops/convolution/convolution_gradients.h"
#include "plimsoll/ops/convolution/convolution_problem.h"
#include "plimsoll/ops/convolution/pooling_fusion.h"
#include "plimsoll/ops/convolution/pooling_problem.h"

namespace plimsoll {
namespace {

using kernels::ConvolutionPoolingProblem;

ConvolutionPoolingProblem problem_of(const Shape& x, const Shape& kernel,
                                     const ConvolutionPooling& attributes) {
  const auto convolution = convolution_problem(x, kernel, attributes.convolution);
  auto pooling = pooling_problem(y_shape(convolution), attributes.pooling);
  pooling.relu = true;
  return {convolution, pooling};
}

void describe_both(Attributes& to, const ConvolutionPooling& attributes) {
  const auto& [convolution, pooling, bias] = attributes;
  const auto& [pool_size, strides, padding] = pooling;
  describe(to, convolution);
  to.with("pool_size", pool_size).with("pool_strides", strides).with("pool_padding", padding);
  to.with("bias", bias);
}

// The problem of a gradient: its batch and filters are dy's.
ConvolutionPoolingProblem gradient_problem(std::array<int64_t, 2> input_size, int64_t channels,
                                           std::array<int64_t, 2> kernel_size, const Shape& dy,
                                           const ConvolutionPooling& attributes) {
  if (dy.rank() != 4)
    throw InvalidArgument("dy must be (batch, height, width, filters), found " + dy.to_string());
  const Shape kernel = {kernel_size[0], kernel_size[1], channels / attributes.convolution.groups,
                        dy[3]};
  const auto problem =
      problem_of({dy[0], input_size[0], input_size[1], channels}, kernel, attributes);
  const Shape expected = pooled_shape(y_shape(problem.convolution), problem.pooling);
  if (dy != expected)
    throw InvalidArgument("dy must be of shape " + expected.to_string() + ", found " +
                          dy.to_string());
  return problem;
}

void refuse_unless_index(const Spec& index, const Spec& dy) {
  if (index != Spec{DType::uint8, dy.shape})
    throw InvalidArgument("index must be uint8 of dy's shape, found " + index.to_string());
}

// The gradient of the tensor between convolution and pooling, by max_pool2d_gradient's reference.
Array between_gradient(const ConvolutionPoolingProblem& problem, const Array& index,
                       const Array& dy) {
  Array answer({DType::float32, y_shape(problem.convolution)});
  for_each_tap(answer.spec.shape, problem.pooling, [&](int64_t to, int64_t from, int64_t tap) {
    if (index[from] == static_cast<double>(tap)) answer[to] += dy[from];
  });
  return answer;
}

class Forward final : public Op {
 public:
  Forward(const ConvolutionPooling& attributes, bool index)
      : attributes_(attributes), index_(index) {}

  std::string_view name() const override { return "conv2d_relu_max_pool"; }
  void describe(Attributes& to) const override {
    const auto& [attributes, index] = *this;
    describe_both(to, attributes);
    to.with("index", index);
  }
  Specs infer(std::span<const Spec> in) const override {
    const Spec between = convolution()->infer(in)[0];
    Specs specs = max_pool2d_op(attributes_.pooling)->infer(std::span(&between, 1));
    if (!index_) specs[1].shape = {0};
    return specs;
  }
  LayoutChoice layouts(std::span<const Spec> in, std::span<const Spec>,
                       std::span<const Layout>) const override {
    const auto chosen = kernels::convolution_layouts(problem(in).convolution);
    LayoutChoice choice{std::vector<Layout>(in.size()),
                        {chosen.y, index_ ? chosen.y : Layout::plain()}};
    choice.inputs[0] = chosen.x;
    choice.plain_outputs_too = chosen.x.is_plain();
    return choice;
  }
  OpPtr pruned(std::span<const bool> used) const override {
    if (!index_ || used[1]) return nullptr;
    return std::make_shared<Forward>(attributes_, false);
  }
  Tensors gradient(const Node& node, const Tensors& dy) const override {
    const Tensor x = node.input(0), kernel = node.input(1), index = node.output(1);
    const Tensors weights = apply_all(conv2d_relu_max_pool_kernel_gradient_op(
                                          attributes_, {kernel.shape()[0], kernel.shape()[1]}),
                                      {x, index, dy[0]}, node.where);
    Tensors answer = {
        apply(conv2d_relu_max_pool_input_gradient_op(attributes_, {x.shape()[1], x.shape()[2]}),
              {kernel, index, dy[0]}, node.where),
        weights[0]};
    if (attributes_.bias) answer.push_back(weights[1]);
    return answer;
  }
  KernelPtr kernel(const KernelRequest& request) const override {
    return kernels::make_convolution_pooling(request, problem(request.inputs), attributes_.bias,
                                             index_);
  }
  double operations(std::span<const Spec> in, std::span<const Spec>) const override {
    return plimsoll::operations(problem(in).convolution);
  }
  Arrays reference(std::span<const Array> in) const override {
    const Arrays between = convolution()->reference(in);
    Arrays pooled = max_pool2d_op(attributes_.pooling)->reference(between);
    for (int64_t i = 0; i < pooled[0].spec.shape.elements(); ++i)
      if (!(pooled[0][i] > 0)) pooled[1][i] = kernels::kNoPosition;
    if (!index_) pooled[1] = Array({DType::uint8, {0}});
    return pooled;
  }

 private:
  OpPtr convolution() const { return conv2d_op({attributes_.convolution, attributes_.bias, true}); }
  ConvolutionPoolingProblem problem(std::span<const Spec> in) const {
    return problem_of(in[0].shape, in[1].shape, attributes_);
  }

  ConvolutionPooling attributes_;
  bool index_;  // true if the index is computed
};

class PooledInputGradient final : public Op {
 public:
  PooledInputGradient(const ConvolutionPooling& attributes, std::array<int64_t, 2> input_size)
      : attributes_(attributes), input_size_(input_size) {}

  std::string_view name() const override { return "conv2d_relu_max_pool_input_gradient"; }
  void describe(Attributes& to) const override {
    const auto& [attributes, input_size] = *this;
    describe_both(to, attributes);
    to.with("input_size", input_size);
  }
  Specs infer(std::span<const Spec> in) const override {
    refuse_unless_index(in[1], in[2]);
    return {{DType::float32, x_shape(problem(in[0].shape, in[2].shape).convolution)}};
  }
  LayoutChoice layouts(std::span<const Spec> in, std::span<const Spec>,
                       std::span<const Layout> offered) const override {
    const auto chosen = kernels::convolution_layouts(problem(in[0].shape, in[2].shape).convolution);
    return {{Layout::plain(), offered[1], offered[1]}, {chosen.x}};
  }
  KernelPtr kernel(const KernelRequest& request) const override {
    return kernels::make_convolution_pooling_input_gradient(
        request, problem(request.inputs[0].shape, request.inputs[2].shape));
  }
  double operations(std::span<const Spec> in, std::span<const Spec>) const override {
    return plimsoll::operations(problem(in[0].shape, in[2].shape).convolution);
  }
  Arrays reference(std::span<const Array> in) const override {
    const auto p = problem(in[0].spec.shape, in[2].spec.shape);
    const Array dy = between_gradient(p, in[1], in[2]);
    Array dx({DType::float32, x_shape(p.convolution)});
    for_each_product(p.convolution,
                     [&](int64_t x, int64_t k, int64_t y) { dx[x] += in[0][k] * dy[y]; });
    return {dx};
  }

 private:
  ConvolutionPoolingProblem problem(const Shape& kernel, const Shape& dy) const {
    return gradient_problem(input_size_, kernel[2] * attributes_.convolution.groups,
                            {kernel[0], kernel[1]}, dy, attributes_);
  }

  ConvolutionPooling attributes_;
  std::array<int64_t, 2> input_size_;
};

class PooledKernelGradient final : public Op {
 public:
  PooledKernelGradient(const ConvolutionPooling& attributes, std::array<int64_t, 2> kernel_size)
      : attributes_(attributes), kernel_size_(kernel_size) {}

  std::string_view name() const override { return "conv2d_relu_max_pool_kernel_gradient"; }
  void describe(Attributes& to) const override {
    const auto& [attributes, kernel_size] = *this;
    describe_both(to, attributes);
    to.with("kernel_size", kernel_size);
  }
  Specs infer(std::span<const Spec> in) const override {
    refuse_unless_index(in[1], in[2]);
    const auto p = problem(in[0].shape, in[2].shape).convolution;
    return {{DType::float32, kernel_shape(p)},
            {DType::float32, {attributes_.bias ? p.filters : 0}}};
  }
  LayoutChoice layouts(std::span<const Spec> in, std::span<const Spec>,
                       std::span<const Layout> offered) const override {
    const auto chosen = kernels::convolution_layouts(problem(in[0].shape, in[2].shape).convolution);
    return {{chosen.x, offered[1], offered[1]}, {Layout::plain(), Layout::plain()}};
  }
  OpPtr pruned(std::span<const bool> used) const override {
    if (!attributes_.bias || used[1]) return nullptr;
    ConvolutionPooling attributes = attributes_;
    attributes.bias = false;
    return std::make_shared<PooledKernelGradient>(attributes, kernel_size_);
  }
  KernelPtr kernel(const KernelRequest& request) const override {
    return kernels::make_convolution_pooling_kernel_gradient(
        request, problem(request.inputs[0].shape, request.inputs[2].shape), attributes_.bias);
  }
  double operations(std::span<const Spec> in, std::span<const Spec>) const override {
    return plimsoll::operations(problem(in[0].shape, in[2].shape).convolution);
  }
  Arrays reference(std::span<const Array> in) const override {
    const auto p = problem(in[0].spec.shape, in[2].spec.shape);
    const Array dy = between_gradient(p, in[1], in[2]);
    Array dkernel({DType::float32, kernel_shape(p.convolution)});
    Array dbias({DType::float32, {attributes_.bias ? p.convolution.filters : 0}});
    for_each_product(p.convolution,
                     [&](int64_t x, int64_t k, int64_t y) { dkernel[k] += in[0][x] * dy[y]; });
    for (int64_t i = 0; attributes_.bias && i < dy.spec.shape.elements(); ++i)
      dbias[i % p.convolution.filters] += dy[i];
    return {dkernel, dbias};
  }

 private:
  ConvolutionPoolingProblem problem(const Shape& x, const Shape& dy) const {
    return gradient_problem({x[1], x[2]}, x[3], kernel_size_, dy, attributes_);
  }

  ConvolutionPooling attributes_;
  std::array<int64_t, 2> kernel_size_;
};

}  // namespace

bool can_fuse(const Conv2dAttributes&, const PoolingOptions& pooling) {
  const auto& size = pooling.pool_size;
  const auto& strides = pooling.strides;
  const auto disjoint = [&](size_t i) { return strides[i] == 0 || strides[i] >= size[i]; };
  return disjoint(0) && disjoint(1) && size[0] * size[1] < kernels::kMostIndexedPositions;
}

OpPtr conv2d_relu_max_pool_op(const ConvolutionPooling& attributes) {
  return std::make_shared<Forward>(attributes, true);
}

OpPtr conv2d_relu_max_pool_input_gradient_op(const ConvolutionPooling& attributes,
                                             std::array<int64_t, 2> input_size) {
  return std::make_shared<PooledInputGradient>(attributes, input_size);
}

OpPtr conv2d_relu_max_pool_kernel_gradient_op(const ConvolutionPooling& attributes,
                                              std::array<int64_t, 2> kernel_size) {
  return std::make_shared<PooledKernelGradient>(attributes, kernel_size);
}

}  // namespace plimsoll
