// What the pooling ops share: options checked against a shape.
#pragma once

#include "plimsoll/graph/op.h"
#include "plimsoll/kernels/pooling/pooling.h"
#include "plimsoll/ops/convolution/pooling.h"

namespace plimsoll {

// The windows over x (N, H, W, C), or InvalidArgument.
kernels::PoolingProblem pooling_problem(const Shape& x, const PoolingOptions& options);

// The pooled shape of x.
Shape pooled_shape(const Shape& x, const kernels::PoolingProblem& problem);

// dy must have the shape that pooling images of this height and width gives; returns the images'
// shape.
Shape unpooled_shape(const Shape& dy, std::array<int64_t, 2> input_size,
                     const PoolingOptions& options);

void describe(Attributes& to, const PoolingOptions& options);

// Calls body(x index, y index, number of the tap in its window) for every tap inside the input.
template <class Body>
void for_each_tap(const Shape& x, const kernels::PoolingProblem& problem, const Body& body) {
  const kernels::WindowAxis &rows = problem.rows, &columns = problem.columns;
  int64_t y = 0;
  for (int64_t n = 0; n < x[0]; ++n)
    for (int64_t oh = 0; oh < rows.output; ++oh)
      for (int64_t ow = 0; ow < columns.output; ++ow)
        for (int64_t c = 0; c < x[3]; ++c, ++y)
          for (int64_t r = rows.first_tap(oh); r < rows.end_tap(oh); ++r)
            for (int64_t q = columns.first_tap(ow); q < columns.end_tap(ow); ++q) {
              const int64_t row = n * rows.input + rows.start(oh) + r;
              const int64_t position = row * columns.input + columns.start(ow) + q;
              body(position * x[3] + c, y, r * columns.size + q);
            }
}

}  // namespace plimsoll
