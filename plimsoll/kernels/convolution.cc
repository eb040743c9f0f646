#include "plimsoll/kernels/convolution.h"

#include <algorithm>
#include <array>
#include <utility>

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

// What every convolution of no images, or with no filters or channels, comes to.
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
  if (is_empty(problem)) return std::make_unique<ZeroFill>(request.outputs);
  const ConvolutionLayouts layouts{request.input_layouts[0], request.output_layouts[0]};
  return make_kernel(onednn_convolution(problem, layouts, bias, relu), bias ? 3 : 2, 1);
}

KernelPtr make_convolution_input_gradient(const KernelRequest& request,
                                          const ConvolutionProblem& problem) {
  if (is_empty(problem)) return std::make_unique<ZeroFill>(request.outputs);
  const ConvolutionLayouts layouts{request.output_layouts[0], request.input_layouts[1]};
  return make_kernel(onednn_convolution_input_gradient(problem, layouts), 2, 1);
}

KernelPtr make_convolution_kernel_gradient(const KernelRequest& request,
                                           const ConvolutionProblem& problem, bool bias) {
  if (is_empty(problem)) return std::make_unique<ZeroFill>(request.outputs);
  const ConvolutionLayouts layouts{request.input_layouts[0], request.input_layouts[1]};
  return make_kernel(onednn_convolution_kernel_gradient(problem, layouts, bias), 2, bias ? 2 : 1);
}

}  // namespace plimsoll::kernels
