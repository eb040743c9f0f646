// A pooling as loops: planes of rows x columns positions of `lanes` channels that lie side by side.
#pragma once

#include "plimsoll/kernels/pooling/pooling_problem.h"
#include "plimsoll/tensor/layout.h"
#include "plimsoll/tensor/shape.h"

namespace plimsoll::kernels {

struct PoolingPlan {
  WindowAxis rows, columns;
  int64_t planes = 0;  // images (row-major), or images times blocks of channels
  int64_t lanes = 0;
  bool relu = false;

  PoolingPlan(const PoolingProblem& problem, const Shape& x, Layout layout)
      : rows(problem.rows), columns(problem.columns), relu(problem.relu) {
    const bool plain = layout.is_plain();
    lanes = plain ? x[3] : layout.channel_block;
    planes = plain ? x[0] : x[0] * (x[3] / layout.channel_block);
  }

  // The floats of a row of the input, of the output, of a plane of the input.
  int64_t input_row() const { return columns.input * lanes; }
  int64_t output_row() const { return columns.output * lanes; }
  int64_t input_plane() const { return rows.input * input_row(); }
  // True if no two windows cover the same position: then no two output rows share input rows.
  bool disjoint() const { return rows.disjoint() && columns.disjoint(); }
};

// These compute output rows [begin, end), counted over all planes. `index` may be null.
void max_pool_rows(const PoolingPlan& plan, const float* x, float* y, uint8_t* index, int64_t begin,
                   int64_t end);
void average_pool_rows(const PoolingPlan& plan, const float* x, float* y, int64_t begin,
                       int64_t end);

// The gradients write what output rows [begin, end) own of dx where windows are disjoint.
// Otherwise the rows must be whole planes.
void max_pool_gradient_rows(const PoolingPlan& plan, const uint8_t* index, const float* dy,
                            float* dx, int64_t begin, int64_t end);
void average_pool_gradient_rows(const PoolingPlan& plan, const float* dy, float* dx, int64_t begin,
                                int64_t end);

}  // namespace plimsoll::kernels
