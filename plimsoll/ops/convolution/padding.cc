#include "plimsoll/ops/convolution/padding.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "plimsoll/base/error.h"

namespace plimsoll {

kernels::WindowAxis window_axis(const char* axis, int64_t input, int64_t size, int64_t stride,
                                int64_t dilation, Padding padding) {
  if (size < 1 || stride < 1 || dilation < 1)
    throw InvalidArgument(
        fmt::format("{}: window size, stride and dilation must be at least 1, found {}, {} and {}",
                    axis, size, stride, dilation));
  const int64_t span = (size - 1) * dilation + 1;
  kernels::WindowAxis window{.input = input, .size = size, .stride = stride, .dilation = dilation};
  if (padding == Padding::valid) {
    if (input < span)
      throw InvalidArgument(
          fmt::format("a window that spans {} does not fit into a {} of {}; make it smaller or "
                      "pass padding \"same\"",
                      span, axis, input));
    window.output = (input - span) / stride + 1;
    return window;
  }
  if (input < 1) throw InvalidArgument(fmt::format("{} must be at least 1, found {}", axis, input));
  window.output = (input + stride - 1) / stride;
  const int64_t total = std::max<int64_t>((window.output - 1) * stride + span - input, 0);
  window.before = total / 2;
  window.after = total - window.before;
  return window;
}

}  // namespace plimsoll
