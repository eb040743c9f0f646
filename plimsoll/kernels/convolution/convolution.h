// Convolution over oneDNN. Kernels of the graph lie as (rows, columns, channels / groups, filters);
// they are packed for oneDNN in scratch at each run, since a step changes them.
#pragma once

#include "plimsoll/kernels/convolution/convolution_problem.h"
#include "plimsoll/kernels/kernel.h"

namespace plimsoll::kernels {

// x, kernel[, bias] -> y, negative elements replaced by 0 with `relu`.
KernelPtr make_convolution(const KernelRequest& request, const ConvolutionProblem& problem,
                           bool bias, bool relu);
// kernel, dy -> dx
KernelPtr make_convolution_input_gradient(const KernelRequest& request,
                                          const ConvolutionProblem& problem);
// x, dy -> dkernel, dbias; without `bias` the second output is not touched.
KernelPtr make_convolution_kernel_gradient(const KernelRequest& request,
                                           const ConvolutionProblem& problem, bool bias);

// Fills all outputs with zeros, the result of a computation over no images, channels or filters.
KernelPtr make_zero_fill(const KernelRequest& request);

}  // namespace plimsoll::kernels
