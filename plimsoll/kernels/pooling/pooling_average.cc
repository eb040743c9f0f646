#include "plimsoll/kernels/pooling/pooling_plan.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "plimsoll/kernels/pooling/pooling_average.cc"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "plimsoll/kernels/pooling/pooling_windows-inl.h"

HWY_BEFORE_NAMESPACE();
namespace plimsoll::kernels::HWY_NAMESPACE {

// A window holds at least one position of the input.
HWY_INLINE float share_of(const PoolingPlan& plan, const Window& w) {
  const auto inside = [](const Taps& taps, const WindowAxis& axis) {
    return std::min(taps.end, axis.size) - taps.begin;
  };
  return 1.0f / static_cast<float>(inside(w.rows, plan.rows) * inside(w.columns, plan.columns));
}

void average_rows(const PoolingPlan& plan, const float* x, float* y, int64_t begin, int64_t end) {
  const int64_t row = plan.input_row();
  for_each_window(plan, begin, end, covered, [&](const Window& w) HWY_ATTR {
    const float share = share_of(plan, w);
    for_each_vector(plan.lanes, [&](auto d, int64_t lane) HWY_ATTR {
      auto sum = hn::Zero(d);
      for (int64_t r = w.rows.begin; r < w.rows.end; ++r)
        for (int64_t c = w.columns.begin; c < w.columns.end; ++c)
          sum = hn::Add(sum, hn::LoadU(d, x + w.input + r * row + c * plan.lanes + lane));
      hn::StoreU(hn::Mul(sum, hn::Set(d, share)), d, y + w.output + lane);
    });
  });
}

// Calls body(tag, a position's pointer into dx, its share of dy) for what each window covers; for
// what it owns but does not cover the share is 0.
template <class TapsOf, class Body>
HWY_INLINE void for_each_share(const PoolingPlan& plan, const float* dy, float* dx, int64_t begin,
                               int64_t end, const TapsOf& taps, const Body& body) {
  for_each_window(plan, begin, end, taps, [&](const Window& w) HWY_ATTR {
    const float share = share_of(plan, w);
    for_each_vector(plan.lanes, [&](auto d, int64_t lane) HWY_ATTR {
      const auto gradient = hn::Mul(hn::LoadU(d, dy + w.output + lane), hn::Set(d, share));
      for (int64_t r = w.rows.begin; r < w.rows.end; ++r)
        for (int64_t c = w.columns.begin; c < w.columns.end; ++c) {
          const bool inside = r < plan.rows.size && c < plan.columns.size;
          body(d, dx + w.input + r * plan.input_row() + c * plan.lanes + lane,
               inside ? gradient : hn::Zero(d));
        }
    });
  });
}

void average_gradient_rows(const PoolingPlan& plan, const float* dy, float* dx, int64_t begin,
                           int64_t end) {
  if (plan.disjoint())
    return for_each_share(plan, dy, dx, begin, end, owned,
                          [](auto d, float* to, auto share) HWY_ATTR { hn::StoreU(share, d, to); });
  fill_planes(plan, dx, begin, end);
  for_each_share(plan, dy, dx, begin, end, covered, [](auto d, float* to, auto share) HWY_ATTR {
    hn::StoreU(hn::Add(hn::LoadU(d, to), share), d, to);
  });
}

}  // namespace plimsoll::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace plimsoll::kernels {

HWY_EXPORT(average_rows);
HWY_EXPORT(average_gradient_rows);

void average_pool_rows(const PoolingPlan& plan, const float* x, float* y, int64_t begin,
                       int64_t end) {
  HWY_DYNAMIC_DISPATCH(average_rows)(plan, x, y, begin, end);
}

void average_pool_gradient_rows(const PoolingPlan& plan, const float* dy, float* dx, int64_t begin,
                                int64_t end) {
  HWY_DYNAMIC_DISPATCH(average_gradient_rows)(plan, dy, dx, begin, end);
}

}  // namespace plimsoll::kernels
#endif
