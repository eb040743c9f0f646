#include "plimsoll/kernels/convolution/convolution_rows.h"

#include <algorithm>

namespace plimsoll::kernels {

ConvolutionRows::ConvolutionRows(const ConvolutionProblem& problem, Layout layout,
                                 int64_t window_rows, int64_t window_columns)
    : problem_(problem),
      block_(layout.is_plain() ? problem.channels : layout.channel_block),
      count_((window_rows - 1) * problem.rows.stride + problem.rows.size),
      row_floats_(((window_columns - 1) * problem.columns.stride + problem.columns.size) *
                  problem.channels) {
  const auto padded = [](const WindowAxis& axis) { return axis.before + axis.after > 0; };
  serves_ = layout.is_plain() && !padded(problem.rows) && !padded(problem.columns);
}

ConvolutionRows::Rows ConvolutionRows::get(const float* x, int64_t image, int64_t first,
                                           float* buffer) const {
  const int64_t row_floats = problem_.columns.input * problem_.channels;
  const float* from = x + image * problem_.rows.input * row_floats;
  const int64_t start = problem_.rows.start(first);
  if (serves_) return {from + start * row_floats, row_floats};
  for (int64_t i = 0; i < count_; ++i) copy_row(from, start + i, buffer + i * row_floats_);
  return {buffer, row_floats_};
}

void ConvolutionRows::copy_row(const float* image, int64_t row, float* to) const {
  if (row < 0 || row >= problem_.rows.input) {
    std::fill_n(to, row_floats_, 0.0f);
    return;
  }
  const int64_t channels = problem_.channels, width = problem_.columns.input;
  const int64_t before = problem_.columns.before * channels;
  const int64_t columns = std::min(width, (row_floats_ - before) / channels);
  std::fill_n(to, before, 0.0f);
  std::fill(to + before + columns * channels, to + row_floats_, 0.0f);
  to += before;
  for (int64_t block = 0; block < channels / block_; ++block) {
    const float* from = image + (block * problem_.rows.input + row) * width * block_;
    if (block_ == channels) {
      std::copy_n(from, columns * channels, to);
      return;
    }
    for (int64_t column = 0; column < columns; ++column)
      std::copy_n(from + column * block_, block_, to + column * channels + block * block_);
  }
}

}  // namespace plimsoll::kernels
