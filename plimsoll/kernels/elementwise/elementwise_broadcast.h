// The positions of a broadcast input's elements.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "plimsoll/tensor/layout.h"
#include "plimsoll/tensor/spec.h"

namespace plimsoll::kernels {

// An input as strides over the output's elements in memory order: the element at output position
// (i0, i1, …) is at sum(i * stride). Neighbouring dimensions that one stride covers are one.
struct BroadcastView {
  struct Dimension {
    int64_t size = 1;
    int64_t stride = 0;  // of the last dimension 0 or 1
  };
  std::vector<Dimension> dimensions;

  static BroadcastView of(const Spec& input, Layout input_layout, const Spec& output,
                          Layout output_layout);
};

// Walks the output's elements [first, first + count) in runs: body(offset, run, stride) says that
// the next `run` of them are at offset, offset + stride, … of the input.
template <class Body>
void for_each_run(const BroadcastView& view, int64_t first, int64_t count, Body&& body) {
  const size_t last = view.dimensions.size() - 1;
  std::array<int64_t, Shape::kMaxRank + 1> index = {};
  int64_t offset = 0;
  for (size_t i = last + 1; i-- > 0;) {
    index[i] = first % view.dimensions[i].size;
    first /= view.dimensions[i].size;
    offset += index[i] * view.dimensions[i].stride;
  }
  const BroadcastView::Dimension inner = view.dimensions[last];
  for (;;) {
    const int64_t run = std::min(count, inner.size - index[last]);
    body(offset, run, inner.stride);
    count -= run;
    if (count == 0) return;
    offset -= index[last] * inner.stride;
    index[last] = 0;
    for (size_t i = last; i-- > 0;) {
      const BroadcastView::Dimension& dimension = view.dimensions[i];
      offset += dimension.stride;
      if (++index[i] < dimension.size) break;
      offset -= dimension.size * dimension.stride;
      index[i] = 0;
    }
  }
}

}  // namespace plimsoll::kernels
