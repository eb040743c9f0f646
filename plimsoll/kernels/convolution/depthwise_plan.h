// The plan of a depthwise convolution's loops: the outputs are divided into rectangles whose
// windows have the same taps inside the input, so that no loop looks at borders.
#pragma once

#include <vector>

#include "plimsoll/kernels/convolution/convolution_problem.h"

namespace plimsoll::kernels {

// Images in some layout as planes: rows x columns of pixels, each of `lanes` channels that lie side
// by side.
struct ChannelPlanes {
  int64_t rows = 0, columns = 0, lanes = 0;
  int64_t blocks = 1;  // planes of an image

  ChannelPlanes(int64_t rows, int64_t columns, int64_t channels, Layout layout);

  int64_t row() const { return columns * lanes; }
  int64_t plane() const { return rows * row(); }
};

// The taps of a window, a row of them times a column of them, in floats: tap (r, c) reads at
// rows[r].x + c * column_x from the window's place and has its weights at rows[r].weight + c *
// column_weight.
struct DepthwiseTaps {
  struct Row {
    int64_t x = 0, weight = 0;
  };
  std::vector<Row> rows;
  int64_t columns = 0;
  int64_t column_x = 0, column_weight = 0;
};

// Outputs first, first + step, … of an axis.
struct OutputRun {
  int64_t first = 0, step = 1, count = 0;
};

// Outputs that have the same taps.
struct DepthwiseRectangle {
  OutputRun rows, columns;
  int64_t x = 0;                          // the place of the first window, in floats
  int64_t row_step = 0, column_step = 0;  // from there to the next window's
  DepthwiseTaps taps;
};

struct DepthwisePlan {
  ChannelPlanes input, output;
  int64_t planes = 0;  // of the whole batch
  int64_t window = 0;  // taps of a whole one
  std::vector<DepthwiseRectangle> rectangles;

  // y from x, and dx (here the output) from dy.
  static DepthwisePlan forward(const ConvolutionProblem& problem, Layout layout);
  static DepthwisePlan input_gradient(const ConvolutionProblem& problem, Layout layout);
};

}  // namespace plimsoll::kernels
