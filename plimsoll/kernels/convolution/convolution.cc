#include "plimsoll/kernels/convolution/convolution.h"

#include <algorithm>
#include <array>
#include <utility>

#include "plimsoll/base/threads.h"
#include "plimsoll/kernels/convolution/convolution_direct.h"
#include "plimsoll/kernels/convolution/convolution_slices.h"
#include "plimsoll/kernels/convolution/depthwise.h"
#include "plimsoll/kernels/convolution/onednn_convolution.h"

namespace plimsoll::kernels {
namespace {

// Inputs, then outputs, are the bindings of a primitive.
class PrimitiveKernel final : public Kernel {
 public:
  PrimitiveKernel(OneDnnPrimitive primitive, int inputs, int outputs)
      : primitive_(std::move(primitive)), inputs_(inputs), outputs_(outputs) {}

  int64_t scratch_bytes() const override { return primitive_.scratch_bytes(); }

  void run(const KernelArguments& arguments) const override {
    std::array<void*, 5> pointers{};
    std::copy_n(arguments.inputs, inputs_, pointers.begin());
    std::copy_n(arguments.outputs, outputs_, pointers.begin() + inputs_);
    primitive_.run(pointers.data(), arguments.scratch);
  }

 private:
  OneDnnPrimitive primitive_;
  int inputs_, outputs_;
};

// y = max(y, 0), where NaN stays; oneDNN's own relu would make it 0 and so hide it.
void take_positive_part(float* y, int64_t size) {
  constexpr int64_t kGrain = 1 << 14;
  parallel_for(size, kGrain, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) y[i] = y[i] < 0 ? 0 : y[i];
  });
}

// A forward convolution in slices of the batch.
class SlicedForward final : public Kernel {
 public:
  SlicedForward(const ConvolutionProblem& problem, const ConvolutionLayouts& layouts, bool bias,
                bool relu)
      : slices_(
            problem, ConvolutionSlices::Parts::many, [](const ConvolutionProblem&) { return 0; },
            [&](const ConvolutionProblem& slice) {
              return onednn_convolution(slice, layouts, bias);
            }),
        bias_(bias),
        relu_(relu) {}

  int64_t scratch_bytes() const override { return slices_.scratch_bytes(); }

  void run(const KernelArguments& arguments) const override {
    slices_.for_each(arguments.scratch, [&](const ConvolutionSlices::Slice& slice) {
      float* y = arguments.output(0) + slice.number * slices_.y_floats();
      void* const x =
          arguments.inputs[0] + slice.number * slices_.x_floats() * int64_t{sizeof(float)};
      std::array<void*, 4> pointers = {x, arguments.inputs[1], y};
      if (bias_) pointers = {x, arguments.inputs[1], arguments.inputs[2], y};
      slice.run(pointers.data());
      if (relu_) take_positive_part(y, slices_.y_floats());
    });
  }

 private:
  ConvolutionSlices slices_;
  bool bias_, relu_;
};

class ZeroFill final : public Kernel {
 public:
  explicit ZeroFill(std::span<const Spec> outputs) {
    for (size_t i = 0; i < outputs.size(); ++i) bytes_[i] = outputs[i].bytes();
  }
  void run(const KernelArguments& arguments) const override {
    for (size_t i = 0; i < bytes_.size(); ++i)
      if (bytes_[i] > 0) std::fill_n(arguments.outputs[i], bytes_[i], std::byte{0});
  }

 private:
  std::array<int64_t, 2> bytes_{};
};

bool is_empty(const ConvolutionProblem& problem) {
  return problem.batch == 0 || problem.channels == 0 || problem.filters == 0;
}

KernelPtr make_kernel(OneDnnPrimitive primitive, int inputs, int outputs) {
  return std::make_unique<PrimitiveKernel>(std::move(primitive), inputs, outputs);
}

}  // namespace

KernelPtr make_convolution(const KernelRequest& request, const ConvolutionProblem& problem,
                           bool bias, bool relu) {
  if (is_empty(problem)) return make_zero_fill(request);
  const ConvolutionLayouts layouts{request.input_layouts[0], request.output_layouts[0]};
  if (suits_depthwise(problem, layouts)) return make_depthwise(request, problem, bias, relu);
  // A row-major x beside a blocked y is converted.
  if (relu || layouts.x != layouts.y)
    return std::make_unique<SlicedForward>(problem, layouts, bias, relu);
  return make_kernel(onednn_convolution(problem, layouts, bias), bias ? 3 : 2, 1);
}

KernelPtr make_convolution_input_gradient(const KernelRequest& request,
                                          const ConvolutionProblem& problem) {
  if (is_empty(problem)) return make_zero_fill(request);
  const ConvolutionLayouts layouts{request.output_layouts[0], request.input_layouts[1]};
  if (suits_depthwise_input_gradient(problem, layouts))
    return make_depthwise_input_gradient(request, problem);
  return make_kernel(onednn_convolution_input_gradient(problem, layouts), 2, 1);
}

KernelPtr make_convolution_kernel_gradient(const KernelRequest& request,
                                           const ConvolutionProblem& problem, bool bias) {
  if (is_empty(problem)) return make_zero_fill(request);
  const ConvolutionLayouts layouts{request.input_layouts[0], request.input_layouts[1]};
  if (suits_depthwise_kernel_gradient(problem, layouts))
    return make_depthwise_kernel_gradient(request, problem, bias);
  if (!problem.is_volume && problem.channels <= kFewChannels &&
      suits_direct_gradient(problem, layouts))
    return make_direct_kernel_gradient(problem, layouts, bias);
  return make_kernel(onednn_convolution_kernel_gradient(problem, layouts, bias), 2, bias ? 2 : 1);
}

KernelPtr make_zero_fill(const KernelRequest& request) {
  return std::make_unique<ZeroFill>(request.outputs);
}

}  // namespace plimsoll::kernels
