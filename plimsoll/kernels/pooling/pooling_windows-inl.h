// The walks over windows that all poolings share.
#if defined(PLIMSOLL_KERNELS_POOLING_WINDOWS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef PLIMSOLL_KERNELS_POOLING_WINDOWS_INL_H_
#undef PLIMSOLL_KERNELS_POOLING_WINDOWS_INL_H_
#else
#define PLIMSOLL_KERNELS_POOLING_WINDOWS_INL_H_
#endif

#include <hwy/highway.h>

#include <algorithm>
#include <cstdint>

#include "plimsoll/kernels/gemm/lane_vectors-inl.h"
#include "plimsoll/kernels/pooling/pooling_plan.h"

HWY_BEFORE_NAMESPACE();
namespace plimsoll::kernels::HWY_NAMESPACE {

// The part of one axis that a window covers, or owns, as taps [begin, end) from `start`.
struct Taps {
  int64_t start, begin, end;
  int64_t count() const { return end - begin; }
};

struct Window {
  Taps rows, columns;
  int64_t input;   // the offset of tap (0, 0) in the input, in floats; may lie in the padding
  int64_t output;  // the offset of the window's result
};

HWY_INLINE Taps covered(const WindowAxis& axis, int64_t window) {
  return {axis.start(window), axis.first_tap(window), axis.end_tap(window)};
}

// From the window's first position to that of the next; the outermost windows own the margins.
HWY_INLINE Taps owned(const WindowAxis& axis, int64_t window) {
  const int64_t start = axis.start(window);
  const int64_t end = window + 1 == axis.output ? axis.input : axis.start(window + 1);
  return {start, window == 0 ? -start : 0, end - start};
}

// Calls body(window) for the windows of output rows [begin, end), `taps` being one of the above.
template <class TapsOf, class Body>
HWY_INLINE void for_each_window(const PoolingPlan& plan, int64_t begin, int64_t end,
                                const TapsOf& taps, const Body& body) {
  for (int64_t i = begin; i < end; ++i) {
    const int64_t plane = i / plan.rows.output;
    Window window{};
    window.rows = taps(plan.rows, i % plan.rows.output);
    window.output = i * plan.output_row();
    const int64_t row = plane * plan.input_plane() + window.rows.start * plan.input_row();
    for (int64_t column = 0; column < plan.columns.output; ++column) {
      window.columns = taps(plan.columns, column);
      window.input = row + window.columns.start * plan.lanes;
      body(window);
      window.output += plan.lanes;
    }
  }
}

// Input rows that belong to output rows of whole planes.
HWY_INLINE void fill_planes(const PoolingPlan& plan, float* dx, int64_t begin, int64_t end) {
  const int64_t first = begin / plan.rows.output, last = end / plan.rows.output;
  std::fill(dx + first * plan.input_plane(), dx + last * plan.input_plane(), 0.0f);
}

}  // namespace plimsoll::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
