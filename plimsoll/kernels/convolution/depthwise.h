// Depthwise convolution (one filter per channel) by loops of our own, in any layout. They are used
// where they beat oneDNN: row-major images, and gradients that it has no fast code for.
#pragma once

#include "plimsoll/kernels/convolution/convolution_problem.h"
#include "plimsoll/kernels/kernel.h"

namespace plimsoll::kernels {

inline bool is_depthwise(const ConvolutionProblem& problem) {
  return !problem.is_volume && problem.groups == problem.channels &&
         problem.filters == problem.channels;
}

// True if the loops here are faster. Measured on AVX2 against oneDNN in blocks: forward 0.5-0.8 of
// its speed, input gradients 1.0-3 (of stride 2 over large images 0.6), kernel gradients of 3 x 3
// 0.4-0.9, of 5 x 5 5-8; and row-major images need not be converted.
bool suits_depthwise(const ConvolutionProblem& problem, const ConvolutionLayouts& layouts);
bool suits_depthwise_input_gradient(const ConvolutionProblem& problem,
                                    const ConvolutionLayouts& layouts);
bool suits_depthwise_kernel_gradient(const ConvolutionProblem& problem,
                                     const ConvolutionLayouts& layouts);

// As make_convolution and its gradients, for depthwise problems; x and y must lie alike.
KernelPtr make_depthwise(const KernelRequest& request, const ConvolutionProblem& problem, bool bias,
                         bool relu);
KernelPtr make_depthwise_input_gradient(const KernelRequest& request,
                                        const ConvolutionProblem& problem);
KernelPtr make_depthwise_kernel_gradient(const KernelRequest& request,
                                         const ConvolutionProblem& problem, bool bias);

}  // namespace plimsoll::kernels
