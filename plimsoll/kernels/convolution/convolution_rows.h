// The rows of x that some rows of windows read, row-major and with their padding, whatever x's
// layout.
#pragma once

#include "plimsoll/kernels/convolution/convolution_problem.h"

namespace plimsoll::kernels {

class ConvolutionRows {
 public:
  // For `window_rows` rows of windows at a time, of which the first `window_columns` are wanted.
  ConvolutionRows(const ConvolutionProblem& problem, Layout layout, int64_t window_rows,
                  int64_t window_columns);

  struct Rows {
    const float* data = nullptr;
    int64_t stride = 0;  // from a row to the next
  };

  // The rows for the windows from row `first` on. Copies them to `buffer` unless x can be read in
  // place.
  Rows get(const float* x, int64_t image, int64_t first, float* buffer) const;
  int64_t buffer_floats() const { return serves_ ? 0 : count_ * row_floats_; }

 private:
  void copy_row(const float* image, int64_t row, float* to) const;

  ConvolutionProblem problem_;
  int64_t block_;       // channels that lie side by side
  int64_t count_;       // rows
  int64_t row_floats_;  // with padding
  bool serves_;         // x can be read in place
};

}  // namespace plimsoll::kernels
