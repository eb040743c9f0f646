// Moving rows between tensors of (batch, steps, width) and the rows of a block, step after step.
#pragma once

#include <algorithm>
#include <cstdint>

#include "plimsoll/kernels/kernel.h"
#include "plimsoll/kernels/recurrent/recurrent_form.h"
#include "plimsoll/kernels/recurrent/recurrent_split.h"

namespace plimsoll::kernels {

inline void copy_or_zero(const float* from, int64_t count, float* to) {
  if (from == nullptr)
    std::fill_n(to, count, 0.0f);
  else
    std::copy_n(from, count, to);
}

inline void add_to(const float* from, int64_t count, float* to) {
  for (int64_t i = 0; i < count; ++i) to[i] += from[i];
}

// The sizes of an op whose inputs begin with x, the kernel and the recurrent kernel.
inline RecurrentSizes recurrent_sizes(const KernelRequest& request) {
  const Shape& x = request.inputs[0].shape;
  return {x[0], x[1], x[2], request.inputs[2].shape[0]};
}

// Rows of a block at steps [begin, end), as they are computed: row (step, sample).
struct StepRows {
  RecurrentSplit::Block block;
  int64_t begin = 0, end = 0;

  int64_t steps() const { return end - begin; }
  int64_t count() const { return steps() * block.rows; }
};

// The position in x and the mask of the `step`-th step that is computed.
inline int64_t time_of(const RecurrentForm& form, const RecurrentSizes& sizes, int64_t step) {
  return form.go_backwards ? sizes.steps - 1 - step : step;
}

// Calls body(sample, step, row) for each row.
template <class Body>
void for_each_row(const StepRows& rows, const Body& body) {
  int64_t row = 0;
  for (int64_t step = rows.begin; step < rows.end; ++step)
    for (int64_t i = 0; i < rows.block.rows; ++i) body(rows.block.first + i, step, row++);
}

// to = from * factors, where row (step, sample) has factors + sample * factors_row.
inline void multiply_rows(const StepRows& rows, int64_t width, const float* from,
                          const float* factors, int64_t factors_row, float* to) {
  for_each_row(rows, [&](int64_t sample, int64_t, int64_t row) {
    const float* const factor = factors + sample * factors_row;
    for (int64_t j = 0; j < width; ++j) to[row * width + j] = from[row * width + j] * factor[j];
  });
}

// to[row] = x[sample, time of the step]
inline void gather_steps(const RecurrentForm& form, const RecurrentSizes& sizes,
                         const StepRows& rows, const float* x, float* to) {
  for_each_row(rows, [&](int64_t sample, int64_t step, int64_t row) {
    const int64_t from = sample * sizes.steps + time_of(form, sizes, step);
    std::copy_n(x + from * sizes.features, sizes.features, to + row * sizes.features);
  });
}

}  // namespace plimsoll::kernels
