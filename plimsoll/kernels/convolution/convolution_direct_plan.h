// What the direct convolutions and their SIMD code share.
#pragma once

#include "plimsoll/kernels/convolution/convolution_problem.h"

namespace plimsoll::kernels {

// The offsets of the filters in a tensor (N, rows, columns, filters).
struct FilterView {
  int64_t block = 0;         // filters that lie side by side
  int64_t block_stride = 0;  // from a block to the next
  int64_t pixel_stride = 0, row_stride = 0, image_stride = 0;

  FilterView(int64_t rows, int64_t columns, int64_t filters, Layout layout) {
    block = pixel_stride = layout.is_plain() ? filters : layout.channel_block;
    row_stride = columns * block;
    block_stride = rows * row_stride;
    image_stride = rows * columns * filters;
  }

  int64_t offset(int64_t filter) const { return filter / block * block_stride + filter % block; }
};

// A row of windows, one or (with pooling) two rows of two columns each.
struct DirectPlan {
  int64_t kernel_rows = 0;
  int64_t row_taps = 0;  // of the kernel, channels counted: kernel columns * channels
  int64_t step = 0;      // floats of x from a column of the convolution to the next
  int64_t lower = 0;     // rows of x from a row of the convolution to the next
  int64_t filters = 0;
  int64_t windows = 0;  // in the row
  bool pooled = false;

  int64_t taps() const { return kernel_rows * row_taps; }
  // Floats of x from a window to the next.
  int64_t window_step() const { return pooled ? 2 * step : step; }
};

// The pooled convolution of a row of windows. Rows of x begin at `rows`, `row_stride` floats apart.
struct DirectPoolingRow {
  const float* rows = nullptr;
  int64_t row_stride = 0;
  const float *kernel = nullptr, *bias = nullptr;  // bias may be null
  float* y = nullptr;                              // of the first window, filter 0
  uint8_t* index = nullptr;                        // likewise; may be null
};
void direct_pooling_row(const DirectPlan& plan, const FilterView& view,
                        const DirectPoolingRow& row);

// Adds what a run of at most `plan.windows` windows contributes to the gradient of the kernel.
struct DirectGradientRow {
  const float* rows = nullptr;
  int64_t row_stride = 0;
  int64_t windows = 0;
  const float* dy = nullptr;          // of the first window, filter 0
  const uint8_t* index = nullptr;     // likewise; only with pooling
  float* patches = nullptr;           // direct_patch_floats() of scratch
  float* window_gradients = nullptr;  // direct_window_floats() of scratch
  // (taps, filters) sums, the taps in the order (kernel column, channel, kernel row), and
  // (filters).
  float *kernel = nullptr, *bias = nullptr;
};
void direct_gradient_row(const DirectPlan& plan, const FilterView& view,
                         const DirectGradientRow& row);
int64_t direct_patch_floats(const DirectPlan& plan);
int64_t direct_window_floats(const DirectPlan& plan);

}  // namespace plimsoll::kernels
