// Convolution with our own loops, where they beat oneDNN: kernel gradients of few channels, and
// convolutions before a max pooling of 2 x 2, which lets them skip work. Of the four positions of a
// window only one has a gradient: its patch of x is picked by a shuffle, a quarter of the
// multiplications.
#pragma once

#include "plimsoll/kernels/convolution/convolution_problem.h"
#include "plimsoll/kernels/kernel.h"

namespace plimsoll::kernels {

// Up to here oneDNN's convolutions waste most lanes (measured with 1 and 3 channels).
inline constexpr int64_t kFewChannels = 4;

// True if the loops below can compute this: the kernel is dense and not dilated, and filters fill
// vectors.
bool suits_direct_gradient(const ConvolutionProblem& problem, const ConvolutionLayouts& layouts);
// The same with windows of 2 x 2 side by side.
bool suits_direct_pooling(const ConvolutionPoolingProblem& problem,
                          const ConvolutionLayouts& layouts);

// As make_convolution_pooling and make_convolution_pooling_kernel_gradient.
KernelPtr make_direct_pooling(const ConvolutionPoolingProblem& problem,
                              const ConvolutionLayouts& layouts, bool bias, bool index);
KernelPtr make_direct_pooling_kernel_gradient(const ConvolutionPoolingProblem& problem,
                                              const ConvolutionLayouts& layouts, bool bias);
// As make_convolution_kernel_gradient.
KernelPtr make_direct_kernel_gradient(const ConvolutionProblem& problem,
                                      const ConvolutionLayouts& layouts, bool bias);

}  // namespace plimsoll::kernels
