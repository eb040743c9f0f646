// Resizing images: each output row is a sum of a few input rows, each output column of a few
// columns. The gradient is the same with the sums transposed.
#pragma once

#include <vector>

#include "plimsoll/kernels/kernel.h"

namespace plimsoll::kernels {

// Output i of an axis is the sum of weights[k] * input[sources[k]] for k in [starts[i], starts[i +
// 1]).
struct ResizeAxis {
  int64_t inputs = 0;
  std::vector<int64_t> starts = {0};
  std::vector<int64_t> sources;
  std::vector<float> weights;

  int64_t outputs() const { return static_cast<int64_t>(starts.size()) - 1; }
  void add_output() { starts.push_back(static_cast<int64_t>(sources.size())); }
  void add_source(int64_t source, float weight) {
    sources.push_back(source);
    weights.push_back(weight);
  }
  // From outputs to inputs.
  ResizeAxis transposed() const;
};

// (N, rows.inputs, columns.inputs, C) -> (N, rows.outputs(), columns.outputs(), C), in one layout.
KernelPtr make_resize(const KernelRequest& request, const ResizeAxis& rows,
                      const ResizeAxis& columns);

}  // namespace plimsoll::kernels
