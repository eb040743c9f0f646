#include "plimsoll/ops/convolution/convolution_problem.h"

#include <fmt/format.h>

#include <string>

#include "plimsoll/base/error.h"
#include "plimsoll/kernels/convolution/depthwise.h"
#include "plimsoll/ops/convolution/padding.h"

namespace plimsoll {

template <size_t kAxes>
kernels::ConvolutionProblem convolution_problem(const Shape& x, const Shape& kernel,
                                                const ConvolutionOptionsOver<kAxes>& options) {
  constexpr int kRank = static_cast<int>(kAxes) + 2;
  constexpr bool kVolume = kAxes == 3;
  if (x.rank() != kRank)
    throw InvalidArgument(fmt::format("x must be (batch, {}height, width, channels), found {}",
                                      kVolume ? "depth, " : "", x.to_string()));
  if (kernel.rank() != kRank)
    throw InvalidArgument(
        fmt::format("kernel must be ({}rows, columns, channels / groups, filters), found {}",
                    kVolume ? "slices, " : "", kernel.to_string()));
  const int64_t channels = x.back(), filters = kernel.back(), groups = options.groups;
  const int64_t expected = kernel[kRank - 2];
  if (groups < 1 || channels % groups != 0 || filters % groups != 0)
    throw InvalidArgument(fmt::format(
        "groups must divide channels and filters, found {} groups, {} channels and {} filters",
        groups, channels, filters));
  if (expected != channels / groups)
    throw InvalidArgument(fmt::format("input has {} channel{}, kernel expects {}{}", channels,
                                      (channels == 1 ? "" : "s"), expected * groups,
                                      (groups > 1 ? fmt::format(" in {} groups", groups) : "")));
  const auto axis = [&](const char* name, size_t number) {
    const int at = static_cast<int>(number);
    return window_axis(name, x[at + 1], kernel[at], options.strides[number],
                       options.dilation_rate[number], options.padding);
  };
  kernels::ConvolutionProblem problem{.batch = x[0],
                                      .channels = channels,
                                      .filters = filters,
                                      .groups = groups,
                                      .rows = axis("height", kAxes - 2),
                                      .columns = axis("width", kAxes - 1)};
  problem.is_volume = kVolume;
  if (kVolume) problem.depth = axis("depth", 0);
  return problem;
}

template kernels::ConvolutionProblem convolution_problem(const Shape&, const Shape&,
                                                         const ConvolutionOptionsOver<2>&);
template kernels::ConvolutionProblem convolution_problem(const Shape&, const Shape&,
                                                         const ConvolutionOptionsOver<3>&);

kernels::ConvolutionLayouts layouts_for(const kernels::ConvolutionProblem& problem,
                                        std::span<const Layout> offered) {
  if (!kernels::is_depthwise(problem)) return kernels::convolution_layouts(problem);
  for (const Layout layout : offered)
    if (!layout.is_plain()) return {layout, layout};
  return {};
}

double operations(const kernels::ConvolutionProblem& p) {
  const auto products = p.depth.size * p.rows.size * p.columns.size * p.channels / p.groups;
  return 2.0 *
         static_cast<double>(p.batch * p.depth.output * p.rows.output * p.columns.output *
                             p.filters) *
         static_cast<double>(products);
}

Shape x_shape(const kernels::ConvolutionProblem& p) {
  if (p.is_volume) return {p.batch, p.depth.input, p.rows.input, p.columns.input, p.channels};
  return {p.batch, p.rows.input, p.columns.input, p.channels};
}

Shape kernel_shape(const kernels::ConvolutionProblem& p) {
  const int64_t inputs = p.channels / p.groups;
  if (p.is_volume) return {p.depth.size, p.rows.size, p.columns.size, inputs, p.filters};
  return {p.rows.size, p.columns.size, inputs, p.filters};
}

Shape y_shape(const kernels::ConvolutionProblem& p) {
  if (p.is_volume) return {p.batch, p.depth.output, p.rows.output, p.columns.output, p.filters};
  return {p.batch, p.rows.output, p.columns.output, p.filters};
}

void refuse_unless_float(std::span<const Spec> in) {
  for (const Spec& spec : in)
    if (spec.dtype != DType::float32)
      throw InvalidArgument("inputs must be float32, found " + spec.to_string());
}

}  // namespace plimsoll
