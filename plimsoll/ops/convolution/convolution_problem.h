// What the ops around a convolution share: its options checked against shapes.
#pragma once

#include "plimsoll/graph/op.h"
#include "plimsoll/kernels/convolution/convolution.h"
#include "plimsoll/ops/convolution/convolution_options.h"

namespace plimsoll {

// The convolution of x (N, H, W, C) by kernel (kh, kw, C / groups, filters), or of x (N, D, H, W,
// C) by kernel (kd, kh, kw, C / groups, filters); or InvalidArgument.
template <size_t kAxes>
kernels::ConvolutionProblem convolution_problem(const Shape& x, const Shape& kernel,
                                                const ConvolutionOptionsOver<kAxes>& options);

// The layouts that x and y (or their gradients) should have, given those that they have: a
// depthwise convolution takes them as they are.
kernels::ConvolutionLayouts layouts_for(const kernels::ConvolutionProblem& problem,
                                        std::span<const Layout> offered);

template <size_t kAxes>
void describe(Attributes& to, const ConvolutionOptionsOver<kAxes>& options) {
  const auto& [strides, padding, dilation_rate, groups] = options;
  to.with("strides", strides).with("padding", padding);
  to.with("dilation_rate", dilation_rate, ones_per_axis<kAxes>()).with("groups", groups, 1);
}

// The sizes between the batch (or nothing, `first` = 0) and the channels.
template <size_t kAxes>
PerAxis<kAxes> spatial_sizes(const Shape& shape, int first) {
  PerAxis<kAxes> sizes;
  for (size_t i = 0; i < kAxes; ++i) sizes[i] = shape[first + static_cast<int>(i)];
  return sizes;
}

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
  const int64_t windows = p.depth.output * p.rows.output * p.columns.output;
  const int64_t taps = p.depth.size * p.rows.size * p.columns.size;
  const auto inside = [](const kernels::WindowAxis& axis, int64_t at) {
    return at >= 0 && at < axis.input;
  };
  int64_t y = 0;
  for (int64_t i = 0; i < p.batch * windows; ++i) {
    const int64_t window = i % windows;
    const int64_t od = window / p.columns.output / p.rows.output;
    const int64_t oh = window / p.columns.output % p.rows.output, ow = window % p.columns.output;
    for (int64_t f = 0; f < p.filters; ++f, ++y)
      for (int64_t tap = 0; tap < taps; ++tap) {
        const int64_t kd = tap / p.columns.size / p.rows.size;
        const int64_t kh = tap / p.columns.size % p.rows.size, kw = tap % p.columns.size;
        const int64_t d = p.depth.start(od) + kd * p.depth.dilation;
        const int64_t h = p.rows.start(oh) + kh * p.rows.dilation;
        const int64_t w = p.columns.start(ow) + kw * p.columns.dilation;
        if (!inside(p.depth, d) || !inside(p.rows, h) || !inside(p.columns, w)) continue;
        const int64_t slice = i / windows * p.depth.input + d;
        const int64_t pixel = (slice * p.rows.input + h) * p.columns.input + w;
        for (int64_t c = 0; c < inputs; ++c)
          body(pixel * p.channels + f / outputs * inputs + c, (tap * inputs + c) * p.filters + f,
               y);
      }
  }
}

}  // namespace plimsoll
