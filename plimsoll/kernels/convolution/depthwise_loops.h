// The vectorised loops of depthwise convolution.
#pragma once

#include <span>

#include "plimsoll/kernels/convolution/depthwise_plan.h"

namespace plimsoll::kernels {

// Windows, or outputs, that follow each other at a fixed distance, in floats.
struct Steps {
  int64_t count = 0, x = 0, y = 0;
};

// A rectangle of windows of a plane: window (i, j) is at place + i * outer.x + j * inner.x of x and
// belongs to the output, or gradient, at i * outer.y + j * inner.y; each has `lanes` channels.
struct DepthwiseWindows {
  int64_t place = 0;  // may lie in the padding: the taps do not
  const DepthwiseTaps* taps = nullptr;
  int64_t lanes = 0;
  Steps outer, inner;
};

// y = bias + sum over taps of weight * x; `bias` may be null.
void depthwise_sums(const DepthwiseWindows& windows, const float* x, const float* weights,
                    const float* bias, bool relu, float* y);

// A rectangle of windows that lie wholly in x: window (i, j) is at i * x_row + j * x_column of x
// and belongs to the gradient at i * dy_row + j * lanes of dy. `lanes` is a multiple of 8.
struct DepthwiseProducts {
  const float *x = nullptr, *dy = nullptr;
  std::span<const int64_t> places;  // of the taps in a window
  int64_t lanes = 0;
  int64_t rows = 0, columns = 0;  // windows
  int64_t x_row = 0, x_column = 0, dy_row = 0;
};

// sums (taps, lanes) += sum over windows of dy * x; with `bias` the sum of dy follows them.
void depthwise_products(const DepthwiseProducts& products, bool bias, float* sums);

}  // namespace plimsoll::kernels
