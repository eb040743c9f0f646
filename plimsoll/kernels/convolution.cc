#include "plimsoll/kernels/convolution.h"

#include <algorithm>
#include <array>
#include <utility>

#include "plimsoll/base/threads.h"
#include "plimsoll/kernels/convolution_direct.h"
#include "plimsoll/kernels/convolution_slice.h"
#include "plimsoll/kernels/onednn_convolution.h"

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

// y = max(y, 0), where NaN stays; oneDNN's own would make it 0, and hide it.
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
      : slice_(sliced(problem)),
        primitive_(onednn_convolution(slice_, layouts, bias)),
        slices_(problem.batch / slice_.batch),
        x_floats_(slice_.batch * slice_.rows.input * slice_.columns.input * slice_.channels),
        y_floats_(slice_.batch * slice_.rows.output * slice_.columns.output * slice_.filters),
        bias_(bias),
        relu_(relu) {}

  int64_t scratch_bytes() const override { return primitive_.scratch_bytes(); }

  void run(const KernelArguments& arguments) const override {
    for (int64_t i = 0; i < slices_; ++i) {
      float* y = arguments.output(0) + i * y_floats_;
      std::array<void*, 4> pointers = {arguments.inputs[0] + i * x_floats_ * int64_t{sizeof(float)},
                                       arguments.inputs[1], bias_ ? arguments.inputs[2] : nullptr};
      pointers[bias_ ? 3 : 2] = y;
      primitive_.run(pointers.data(), arguments.scratch, i > 0);
      if (relu_) take_positive_part(y, y_floats_);
    }
  }

 private:
  ConvolutionProblem slice_;
  OneDnnPrimitive primitive_;
  int64_t slices_;
  int64_t x_floats_, y_floats_;  // of a slice
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
  // A row-major x beside a blocked y is converted.
  if (relu || layouts.x != layouts.y)
    return std::make_unique<SlicedForward>(problem, layouts, bias, relu);
  return make_kernel(onednn_convolution(problem, layouts, bias), bias ? 3 : 2, 1);
}

KernelPtr make_convolution_input_gradient(const KernelRequest& request,
                                          const ConvolutionProblem& problem) {
  if (is_empty(problem)) return make_zero_fill(request);
  const ConvolutionLayouts layouts{request.output_layouts[0], request.input_layouts[1]};
  return make_kernel(onednn_convolution_input_gradient(problem, layouts), 2, 1);
}

KernelPtr make_convolution_kernel_gradient(const KernelRequest& request,
                                           const ConvolutionProblem& problem, bool bias) {
  if (is_empty(problem)) return make_zero_fill(request);
  const ConvolutionLayouts layouts{request.input_layouts[0], request.input_layouts[1]};
  if (problem.channels <= kFewChannels && suits_direct_gradient(problem, layouts))
    return make_direct_kernel_gradient(problem, layouts, bias);
  return make_kernel(onednn_convolution_kernel_gradient(problem, layouts, bias), 2, bias ? 2 : 1);
}

KernelPtr make_zero_fill(const KernelRequest& request) {
  return std::make_unique<ZeroFill>(request.outputs);
}

}  // namespace plimsoll::kernels
