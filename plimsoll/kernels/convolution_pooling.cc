#include "plimsoll/kernels/convolution_pooling.h"

#include <algorithm>
#include <array>
#include <utility>

#include "plimsoll/base/threads.h"
#include "plimsoll/kernels/convolution_direct.h"
#include "plimsoll/kernels/convolution_slice.h"
#include "plimsoll/kernels/onednn_convolution.h"
#include "plimsoll/kernels/pooling_plan.h"

namespace plimsoll::kernels {
namespace {

Shape between_shape(const ConvolutionProblem& p) {
  return {p.batch, p.rows.output, p.columns.output, p.filters};
}

// One primitive for a slice, run for each; the tensor between is its first scratch.
class Slices {
 public:
  Slices(const ConvolutionPoolingProblem& problem, Layout y_layout, OneDnnPrimitive primitive)
      : slice_(sliced(problem.convolution)),
        plan_(problem.pooling, between_shape(slice_), y_layout),
        primitive_(std::move(primitive)),
        count_(problem.convolution.batch / slice_.batch) {}

  int64_t count() const { return count_; }
  const PoolingPlan& plan() const { return plan_; }
  const OneDnnPrimitive& primitive() const { return primitive_; }

  // The elements of a slice.
  int64_t x_elements() const {
    return slice_.batch * slice_.rows.input * slice_.columns.input * slice_.channels;
  }
  int64_t pooled_elements() const { return plan_.planes * plan_.rows.output * plan_.output_row(); }

  int64_t scratch_bytes() const { return between_bytes() + primitive_.scratch_bytes(); }
  float* between(std::byte* scratch) const { return reinterpret_cast<float*>(scratch); }
  std::byte* primitive_scratch(std::byte* scratch) const { return scratch + between_bytes(); }

  // The gradient of the tensor between, from slice `i` of index and dy.
  void expand(const uint8_t* index, const float* dy, int64_t i, std::byte* scratch) const {
    const int64_t from = i * pooled_elements();
    const int64_t unit = plan_.disjoint() ? 1 : plan_.rows.output;
    parallel_for(plan_.planes * plan_.rows.output / unit, 1, [&](int64_t begin, int64_t end) {
      max_pool_gradient_rows(plan_, index + from, dy + from, between(scratch), begin * unit,
                             end * unit);
    });
  }

 private:
  int64_t between_bytes() const {
    return (between_shape(slice_).elements() * int64_t{sizeof(float)} + 63) / 64 * 64;
  }

  ConvolutionProblem slice_;
  PoolingPlan plan_;
  OneDnnPrimitive primitive_;
  int64_t count_;
};

class Forward final : public Kernel {
 public:
  Forward(Slices slices, bool bias, bool index)
      : slices_(std::move(slices)), bias_(bias), index_(index) {}

  int64_t scratch_bytes() const override { return slices_.scratch_bytes(); }

  void run(const KernelArguments& arguments) const override {
    float* between = slices_.between(arguments.scratch);
    for (int64_t i = 0; i < slices_.count(); ++i) {
      std::array<void*, 4> pointers = {arguments.inputs[0] + i * slices_.x_elements() * 4,
                                       arguments.inputs[1], bias_ ? arguments.inputs[2] : nullptr};
      pointers[bias_ ? 3 : 2] = between;
      slices_.primitive().run(pointers.data(), slices_.primitive_scratch(arguments.scratch), i > 0);
      const PoolingPlan& plan = slices_.plan();
      const int64_t to = i * slices_.pooled_elements();
      parallel_for(plan.planes * plan.rows.output, 1, [&](int64_t begin, int64_t end) {
        max_pool_rows(plan, between, arguments.output(0) + to,
                      index_ ? arguments.output<uint8_t>(1) + to : nullptr, begin, end);
      });
    }
  }

 private:
  Slices slices_;
  bool bias_, index_;
};

class InputGradient final : public Kernel {
 public:
  explicit InputGradient(Slices slices) : slices_(std::move(slices)) {}

  int64_t scratch_bytes() const override { return slices_.scratch_bytes(); }

  void run(const KernelArguments& arguments) const override {
    for (int64_t i = 0; i < slices_.count(); ++i) {
      slices_.expand(arguments.input<uint8_t>(1), arguments.input(2), i, arguments.scratch);
      void* const pointers[] = {arguments.inputs[0], slices_.between(arguments.scratch),
                                arguments.outputs[0] + i * slices_.x_elements() * 4};
      slices_.primitive().run(pointers, slices_.primitive_scratch(arguments.scratch), i > 0);
    }
  }

 private:
  Slices slices_;
};

// The slices' gradients are added in their order.
class KernelGradient final : public Kernel {
 public:
  KernelGradient(Slices slices, std::span<const Spec> outputs, bool bias)
      : slices_(std::move(slices)),
        kernel_floats_(outputs[0].shape.elements()),
        bias_floats_(bias ? outputs[1].shape.elements() : 0) {}

  int64_t scratch_bytes() const override { return sums_offset() + 2 * 64 + 4 * sum_floats(); }

  void run(const KernelArguments& arguments) const override {
    float* kernel = reinterpret_cast<float*>(arguments.scratch + sums_offset());
    float* bias = kernel + (kernel_floats_ + 15) / 16 * 16;
    for (int64_t i = 0; i < slices_.count(); ++i) {
      slices_.expand(arguments.input<uint8_t>(1), arguments.input(2), i, arguments.scratch);
      const bool first = i == 0;
      void* const pointers[] = {arguments.inputs[0] + i * slices_.x_elements() * 4,
                                slices_.between(arguments.scratch),
                                first ? arguments.output(0) : kernel,
                                first ? (bias_floats_ > 0 ? arguments.output(1) : nullptr) : bias};
      slices_.primitive().run(pointers, slices_.primitive_scratch(arguments.scratch), i > 0);
      if (first) continue;
      add(kernel, kernel_floats_, arguments.output(0));
      if (bias_floats_ > 0) add(bias, bias_floats_, arguments.output(1));
    }
  }

 private:
  int64_t sum_floats() const { return kernel_floats_ + bias_floats_; }
  int64_t sums_offset() const { return (slices_.scratch_bytes() + 63) / 64 * 64; }
  static void add(const float* from, int64_t count, float* to) {
    for (int64_t i = 0; i < count; ++i) to[i] += from[i];
  }

  Slices slices_;
  int64_t kernel_floats_, bias_floats_;
};

}  // namespace

KernelPtr make_convolution_pooling(const KernelRequest& request,
                                   const ConvolutionPoolingProblem& problem, bool bias,
                                   bool index) {
  const ConvolutionLayouts layouts{request.input_layouts[0], request.output_layouts[0]};
  const ConvolutionProblem& convolution = problem.convolution;
  if (convolution.batch == 0) return make_zero_fill(request);
  if (suits_direct_pooling(problem, layouts) && convolution.channels <= kFewChannels)
    return make_direct_pooling(problem, layouts, bias, index);
  return std::make_unique<Forward>(
      Slices(problem, layouts.y, onednn_convolution(sliced(convolution), layouts, bias)), bias,
      index);
}

KernelPtr make_convolution_pooling_input_gradient(const KernelRequest& request,
                                                  const ConvolutionPoolingProblem& problem) {
  const ConvolutionLayouts layouts{request.output_layouts[0], request.input_layouts[2]};
  if (problem.convolution.batch == 0) return make_zero_fill(request);
  return std::make_unique<InputGradient>(Slices(
      problem, layouts.y, onednn_convolution_input_gradient(sliced(problem.convolution), layouts)));
}

KernelPtr make_convolution_pooling_kernel_gradient(const KernelRequest& request,
                                                   const ConvolutionPoolingProblem& problem,
                                                   bool bias) {
  const ConvolutionLayouts layouts{request.input_layouts[0], request.input_layouts[2]};
  if (problem.convolution.batch == 0) return make_zero_fill(request);
  if (suits_direct_pooling(problem, layouts) && suits_direct_gradient(problem.convolution, layouts))
    return make_direct_pooling_kernel_gradient(problem, layouts, bias);
  return std::make_unique<KernelGradient>(
      Slices(problem, layouts.y,
             onednn_convolution_kernel_gradient(sliced(problem.convolution), layouts, bias)),
      request.outputs, bias);
}

}  // namespace plimsoll::kernels
