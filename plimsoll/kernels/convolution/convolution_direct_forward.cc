#include "plimsoll/kernels/convolution/convolution_direct_plan.h"
#include "plimsoll/kernels/pooling/pooling.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "plimsoll/kernels/convolution/convolution_direct_forward.cc"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "plimsoll/kernels/gemm/lane_vectors-inl.h"

HWY_BEFORE_NAMESPACE();
namespace plimsoll::kernels::HWY_NAMESPACE {

using Float = Lanes8;
using Floats = hn::Vec<Float>;
using Int = hn::RebindToSigned<Float>;
using Byte = hn::Rebind<uint8_t, Float>;
constexpr int64_t kLanes = static_cast<int64_t>(hn::MaxLanes(Float()));

// The convolution at the four positions of a window, for one vector of filters.
struct Four {
  Floats v0, v1, v2, v3;

  HWY_INLINE explicit Four(Floats start) : v0(start), v1(start), v2(start), v3(start) {}

  HWY_INLINE void add(Floats weight, Floats x0, Floats x1, Floats x2, Floats x3) {
    v0 = hn::MulAdd(weight, x0, v0);
    v1 = hn::MulAdd(weight, x1, v1);
    v2 = hn::MulAdd(weight, x2, v2);
    v3 = hn::MulAdd(weight, x3, v3);
  }
};

// The first maximum and its number, as max pooling takes them; NaN before all.
HWY_INLINE void take_better(Floats next, int32_t number, Floats& best, hn::Vec<Int>& index) {
  const auto better = hn::And(hn::Not(hn::Le(next, best)), hn::Eq(best, best));
  best = hn::IfThenElse(better, next, best);
  index = hn::IfThenElse(hn::RebindMask(Int(), better), hn::Set(Int(), number), index);
}

HWY_INLINE void store_pooled(const Four& four, float* y, uint8_t* to) {
  const Float d;
  Floats best = four.v0;
  auto index = hn::Zero(Int());
  take_better(four.v1, 1, best, index);
  take_better(four.v2, 2, best, index);
  take_better(four.v3, 3, best, index);
  hn::StoreU(hn::IfThenZeroElse(hn::Le(best, hn::Zero(d)), best), d, y);
  if (to == nullptr) return;
  const auto positive = hn::RebindMask(Int(), hn::Gt(best, hn::Zero(d)));
  index = hn::IfThenElse(positive, index, hn::Set(Int(), kNoPosition));
  hn::StoreU(hn::DemoteTo(Byte(), index), Byte(), to);
}

// Two vectors of filters share the broadcasts of x: 8 sums hide the latency of the multiplier.
template <bool kTwo>
void pooled_filters(const DirectPlan& plan, const FilterView& view, const DirectPoolingRow& row,
                    int64_t filter) {
  const Float d;
  const int64_t to0 = view.offset(filter), to1 = kTwo ? view.offset(filter + kLanes) : 0;
  const Floats bias0 = row.bias ? hn::LoadU(d, row.bias + filter) : hn::Zero(d);
  const Floats bias1 = kTwo && row.bias ? hn::LoadU(d, row.bias + filter + kLanes) : hn::Zero(d);
  for (int64_t window = 0; window < plan.windows; ++window) {
    Four first(bias0), second(bias1);
    const float* x = row.rows + window * plan.window_step();
    const float* weights = row.kernel + filter;
    for (int64_t r = 0; r < plan.kernel_rows; ++r, x += row.row_stride) {
      const float* below = x + plan.lower * row.row_stride;
      for (int64_t tap = 0; tap < plan.row_taps; ++tap, weights += plan.filters) {
        const Floats x0 = hn::Set(d, x[tap]), x1 = hn::Set(d, x[tap + plan.step]);
        const Floats x2 = hn::Set(d, below[tap]), x3 = hn::Set(d, below[tap + plan.step]);
        first.add(hn::LoadU(d, weights), x0, x1, x2, x3);
        if constexpr (kTwo) second.add(hn::LoadU(d, weights + kLanes), x0, x1, x2, x3);
      }
    }
    const int64_t pixel = window * view.pixel_stride;
    store_pooled(first, row.y + pixel + to0, row.index ? row.index + pixel + to0 : nullptr);
    if constexpr (kTwo)
      store_pooled(second, row.y + pixel + to1, row.index ? row.index + pixel + to1 : nullptr);
  }
}

void pooling_row(const DirectPlan& plan, const FilterView& view, const DirectPoolingRow& row) {
  int64_t filter = 0;
  for (; filter + 2 * kLanes <= plan.filters; filter += 2 * kLanes)
    pooled_filters<true>(plan, view, row, filter);
  for (; filter < plan.filters; filter += kLanes) pooled_filters<false>(plan, view, row, filter);
}

}  // namespace plimsoll::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace plimsoll::kernels {

HWY_EXPORT(pooling_row);

void direct_pooling_row(const DirectPlan& plan, const FilterView& view,
                        const DirectPoolingRow& row) {
  HWY_DYNAMIC_DISPATCH(pooling_row)(plan, view, row);
}

}  // namespace plimsoll::kernels
#endif
