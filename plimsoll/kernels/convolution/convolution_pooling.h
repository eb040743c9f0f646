// Convolution, positive part and max pooling in one pass: the intermediate results are never in
// memory as a whole, neither forward nor backward.
#pragma once

#include "plimsoll/kernels/convolution/convolution_problem.h"
#include "plimsoll/kernels/kernel.h"

namespace plimsoll::kernels {

// x, kernel[, bias] -> y, index (kNoPosition where y is not positive). Without `index` the second
// output is not touched.
KernelPtr make_convolution_pooling(const KernelRequest& request,
                                   const ConvolutionPoolingProblem& problem, bool bias, bool index);
// kernel, index, dy -> dx
KernelPtr make_convolution_pooling_input_gradient(const KernelRequest& request,
                                                  const ConvolutionPoolingProblem& problem);
// x, index, dy -> dkernel, dbias; without `bias` the second output is not touched.
KernelPtr make_convolution_pooling_kernel_gradient(const KernelRequest& request,
                                                   const ConvolutionPoolingProblem& problem,
                                                   bool bias);

}  // namespace plimsoll::kernels
