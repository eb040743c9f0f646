// What the ops around a convolution share: its options checked against shapes.
#pragma once

#include "plimsoll/graph/op.h"
#include "plimsoll/kernels/convolution/convolution.h"
#include "plimsoll/ops/convolution/convolution_options.h"

namespace plimsoll {

// The convolution of x (N, H, W, C) by kernel (kh, kw, C / groups, filters), or InvalidArgument.
kernels::ConvolutionProblem convolution_problem(const Shape& x, const Shape& kernel,
                                                const ConvolutionOptions& options);

// The layouts that x and y (or their gradients) should have, given those that they have: a
// depthwise convolution takes them as they are.
kernels::ConvolutionLayouts layouts_for(const kernels::ConvolutionProblem& problem,
                                        std::span<const Layout> offered);

void describe(Attributes& to, const ConvolutionOptions& options);

// The number of operations of the convolution, or of either of its gradients.
double operations(const kernels::ConvolutionProblem& problem);

Shape x_shape(const kernels::ConvolutionProblem& problem);
Shape kernel_shape(const kernels::ConvolutionProblem& problem);
Shape y_shape(const kernels::ConvolutionProblem& problem);

void refuse_unless_float(std::span<const Spec> in);

// Calls body(x index, kernel index, y index) for every product that a convolution sums.
template <class Body>
void for_each_product(const kernels::ConvolutionProblem& p, const Body& body) {
  const int64_t inputs = p.channels / p.groups, outputs = p.filters / p.groups;
  int64_t y = 0;
  for (int64_t n = 0; n < p.batch; ++n)
    for (int64_t oh = 0; oh < p.rows.output; ++oh)
      for (int64_t ow = 0; ow < p.columns.output; ++ow)
        for (int64_t f = 0; f < p.filters; ++f, ++y)
          for (int64_t kh = 0; kh < p.rows.size; ++kh)
            for (int64_t kw = 0; kw < p.columns.size; ++kw) {
              const int64_t h = p.rows.start(oh) + kh * p.rows.dilation;
              const int64_t w = p.columns.start(ow) + kw * p.columns.dilation;
              if (h < 0 || h >= p.rows.input || w < 0 || w >= p.columns.input) continue;
              const int64_t pixel = ((n * p.rows.input + h) * p.columns.input + w) * p.channels;
              const int64_t tap = (kh * p.columns.size + kw) * inputs;
              for (int64_t c = 0; c < inputs; ++c)
                body(pixel + f / outputs * inputs + c, (tap + c) * p.filters + f, y);
            }
}

}  // namespace plimsoll
