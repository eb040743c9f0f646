// Convolution, positive part and max pooling in one pass: what lies between never stands in memory
// as a whole, neither forward nor backward.
#pragma once

#include "plimsoll/kernels/convolution/convolution.h"
#include "plimsoll/kernels/pooling/pooling.h"

namespace plimsoll::kernels {

struct ConvolutionPoolingProblem {
  ConvolutionProblem convolution;
  PoolingProblem pooling;  // of the convolution's output, with relu
};

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
