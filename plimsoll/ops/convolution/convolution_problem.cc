#include "plimsoll/ops/convolution/convolution_problem.h"

#include <fmt/format.h>

#include <string>

#include "plimsoll/base/error.h"
#include "plimsoll/kernels/convolution/depthwise.h"
#include "plimsoll/ops/convolution/padding.h"

namespace plimsoll {

kernels::ConvolutionProblem convolution_problem(const Shape& x, const Shape& kernel,
                                                const ConvolutionOptions& options) {
  if (x.rank() != 4)
    throw InvalidArgument("x must be (batch, height, width, channels), found " + x.to_string());
  if (kernel.rank() != 4)
    throw InvalidArgument("kernel must be (rows, columns, channels / groups, filters), found " +
                          kernel.to_string());
  const int64_t channels = x[3], filters = kernel[3], groups = options.groups;
  if (groups < 1 || channels % groups != 0 || filters % groups != 0)
    throw InvalidArgument(fmt::format(
        "groups must divide channels and filters, found {} groups, {} channels and {} filters",
        groups, channels, filters));
  if (kernel[2] != channels / groups)
    throw InvalidArgument(fmt::format("input has {} channel{}, kernel expects {}{}", channels,
                                      (channels == 1 ? "" : "s"), kernel[2] * groups,
                                      (groups > 1 ? fmt::format(" in {} groups", groups) : "")));
  return {.batch = x[0],
          .channels = channels,
          .filters = filters,
          .groups = groups,
          .rows = window_axis("height", x[1], kernel[0], options.strides[0],
                              options.dilation_rate[0], options.padding),
          .columns = window_axis("width", x[2], kernel[1], options.strides[1],
                                 options.dilation_rate[1], options.padding)};
}

kernels::ConvolutionLayouts layouts_for(const kernels::ConvolutionProblem& problem,
                                        std::span<const Layout> offered) {
  if (!kernels::is_depthwise(problem)) return kernels::convolution_layouts(problem);
  for (const Layout layout : offered)
    if (!layout.is_plain()) return {layout, layout};
  return {};
}

void describe(Attributes& to, const ConvolutionOptions& options) {
  const auto& [strides, padding, dilation_rate, groups] = options;
  to.with("strides", strides).with("padding", padding);
  to.with("dilation_rate", dilation_rate, {1, 1}).with("groups", groups, 1);
}

double operations(const kernels::ConvolutionProblem& p) {
  const auto products = p.rows.size * p.columns.size * p.channels / p.groups;
  return 2.0 * static_cast<double>(p.batch * p.rows.output * p.columns.output * p.filters) *
         static_cast<double>(products);
}

Shape x_shape(const kernels::ConvolutionProblem& p) {
  return {p.batch, p.rows.input, p.columns.input, p.channels};
}

Shape kernel_shape(const kernels::ConvolutionProblem& p) {
  return {p.rows.size, p.columns.size, p.channels / p.groups, p.filters};
}

Shape y_shape(const kernels::ConvolutionProblem& p) {
  return {p.batch, p.rows.output, p.columns.output, p.filters};
}

void refuse_unless_float(std::span<const Spec> in) {
  for (const Spec& spec : in)
    if (spec.dtype != DType::float32)
      throw InvalidArgument("inputs must be float32, found " + spec.to_string());
}

}  // namespace plimsoll
