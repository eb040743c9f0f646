// oneDNN's convolution primitives for given layouts: what the convolution kernels are made of.
#pragma once

#include <oneapi/dnnl/dnnl.hpp>

#include "plimsoll/kernels/convolution/convolution_problem.h"
#include "plimsoll/kernels/convolution/onednn_primitive.h"

namespace plimsoll::kernels {

// Bindings of the returned primitives, in this order: (x, kernel[, bias], y), (kernel, dy, dx) and
// (x, dy, dkernel[, dbias]).
OneDnnPrimitive onednn_convolution(const ConvolutionProblem& problem,
                                   const ConvolutionLayouts& layouts, bool bias);
OneDnnPrimitive onednn_convolution_input_gradient(const ConvolutionProblem& problem,
                                                  const ConvolutionLayouts& layouts);
OneDnnPrimitive onednn_convolution_kernel_gradient(const ConvolutionProblem& problem,
                                                   const ConvolutionLayouts& layouts, bool bias);

}  // namespace plimsoll::kernels
