// A convolution as plain data: sizes, windows, and the layouts of its tensors.
#pragma once

#include <cstdint>

#include "plimsoll/kernels/pooling/pooling_problem.h"
#include "plimsoll/kernels/window_axis.h"
#include "plimsoll/tensor/layout.h"

namespace plimsoll::kernels {

struct ConvolutionProblem {
  int64_t batch = 0, channels = 0, filters = 0, groups = 1;
  WindowAxis rows, columns;
  // Of volumes (batch, depth, height, width, channels), which are always row-major.
  WindowAxis depth = {.input = 1, .output = 1};
  bool is_volume = false;
};

// How x and y (or their gradients) should lie for the three computations of a convolution.
struct ConvolutionLayouts {
  Layout x, y;
};
ConvolutionLayouts convolution_layouts(const ConvolutionProblem& problem);

struct ConvolutionPoolingProblem {
  ConvolutionProblem convolution;
  PoolingProblem pooling;  // of the convolution's output, with relu
};

}  // namespace plimsoll::kernels
