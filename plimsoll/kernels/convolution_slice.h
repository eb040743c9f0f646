// A convolution taken a few images at a time, so that what follows it, and what is converted for
// it, stays in the caches.
#pragma once

#include <algorithm>

#include "plimsoll/kernels/convolution.h"

namespace plimsoll::kernels {

// The same problem for a slice of the batch: a divisor of it, so that all slices are alike.
inline ConvolutionProblem sliced(ConvolutionProblem problem) {
  constexpr int64_t kSliceBytes = 4 << 20;  // of the output
  const int64_t image_bytes = problem.rows.output * problem.columns.output * problem.filters *
                              static_cast<int64_t>(sizeof(float));
  int64_t images = std::clamp<int64_t>(kSliceBytes / image_bytes, 1, problem.batch);
  while (problem.batch % images != 0) --images;
  problem.batch = images;
  return problem;
}

}  // namespace plimsoll::kernels
