#include "plimsoll/kernels/pooling/pooling_plan.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "plimsoll/kernels/pooling/pooling_max.cc"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "plimsoll/kernels/pooling/pooling_windows-inl.h"

HWY_BEFORE_NAMESPACE();
namespace plimsoll::kernels::HWY_NAMESPACE {

template <class D>
using IndexTag = hn::RebindToSigned<D>;
template <class D>
using ByteTag = hn::Rebind<uint8_t, D>;

// The largest so far of some lanes, and the number of its position.
template <class D>
struct Maximum {
  hn::Vec<D> value;
  hn::Vec<IndexTag<D>> index;

  HWY_INLINE Maximum(D d, const float* x, int64_t k)
      : value(hn::LoadU(d, x)), index(hn::Set(IndexTag<D>(), static_cast<int32_t>(k))) {}

  // Replaced by what is larger, and by the first NaN.
  HWY_INLINE void add(D d, const float* x, int64_t k) {
    const IndexTag<D> di;
    const auto next = hn::LoadU(d, x);
    const auto better = hn::And(hn::Not(hn::Le(next, value)), hn::Eq(value, value));
    value = hn::IfThenElse(better, next, value);
    index = hn::IfThenElse(hn::RebindMask(di, better), hn::Set(di, static_cast<int32_t>(k)), index);
  }

  // NaN stays.
  HWY_INLINE void take_positive_part(D d) {
    const IndexTag<D> di;
    const auto positive = hn::Gt(value, hn::Zero(d));
    value = hn::IfThenZeroElse(hn::Le(value, hn::Zero(d)), value);
    index = hn::IfThenElse(hn::RebindMask(di, positive), index, hn::Set(di, kNoPosition));
  }

  HWY_INLINE void store(D d, float* y, uint8_t* to) const {
    hn::StoreU(value, d, y);
    if (to != nullptr) hn::StoreU(hn::DemoteTo(ByteTag<D>(), index), ByteTag<D>(), to);
  }
};

template <class D>
HWY_INLINE Maximum<D> maximum(D d, const PoolingPlan& plan, const Window& w, const float* x) {
  const int64_t row = plan.input_row(), size = plan.columns.size;
  const auto at = [&](int64_t r, int64_t c) { return x + r * row + c * plan.lanes; };
  Maximum<D> best(d, at(w.rows.begin, w.columns.begin), w.rows.begin * size + w.columns.begin);
  for (int64_t r = w.rows.begin; r < w.rows.end; ++r)
    for (int64_t c = w.columns.begin; c < w.columns.end; ++c)
      if (r != w.rows.begin || c != w.columns.begin) best.add(d, at(r, c), r * size + c);
  return best;
}

// Windows of 2 x 2 side by side from the first position on: most poolings, without the walk.
HWY_INLINE bool halves(const WindowAxis& axis) {
  return axis.size == 2 && axis.stride == 2 && axis.before == 0 && 2 * axis.output <= axis.input;
}
HWY_INLINE bool halves(const PoolingPlan& plan) {
  return halves(plan.rows) && halves(plan.columns);
}

// The offset in the input at which the windows of output row i begin.
HWY_INLINE int64_t halved_row(const PoolingPlan& plan, int64_t i) {
  return i / plan.rows.output * plan.input_plane() + i % plan.rows.output * 2 * plan.input_row();
}

void max_rows_2x2(const PoolingPlan& plan, const float* x, float* y, uint8_t* index, int64_t begin,
                  int64_t end) {
  const int64_t lanes = plan.lanes;
  for (int64_t i = begin; i < end; ++i) {
    const float* from = x + halved_row(plan, i);
    const float* below = from + plan.input_row();
    const int64_t last = (i + 1) * plan.output_row();
    for (int64_t to = i * plan.output_row(); to < last;
         to += lanes, from += 2 * lanes, below += 2 * lanes)
      for_each_vector(lanes, [&](auto d, int64_t lane) HWY_ATTR {
        Maximum<decltype(d)> best(d, from + lane, 0);
        best.add(d, from + lanes + lane, 1);
        best.add(d, below + lane, 2);
        best.add(d, below + lanes + lane, 3);
        if (plan.relu) best.take_positive_part(d);
        best.store(d, y + to + lane, index == nullptr ? nullptr : index + to + lane);
      });
  }
}

void max_rows(const PoolingPlan& plan, const float* x, float* y, uint8_t* index, int64_t begin,
              int64_t end) {
  if (halves(plan)) return max_rows_2x2(plan, x, y, index, begin, end);
  for_each_window(plan, begin, end, covered, [&](const Window& w) HWY_ATTR {
    for_each_vector(plan.lanes, [&](auto d, int64_t lane) HWY_ATTR {
      auto best = maximum(d, plan, w, x + w.input + lane);
      if (plan.relu) best.take_positive_part(d);
      const int64_t to = w.output + lane;
      best.store(d, y + to, index == nullptr ? nullptr : index + to);
    });
  });
}

// Calls body(tap's pointer into dx, dy where the tap was the maximum, else 0) for each tap.
template <class D, class Body>
HWY_INLINE void for_each_share(D d, const PoolingPlan& plan, const Window& w, const uint8_t* index,
                               const float* dy, float* dx, const Body& body) {
  const IndexTag<D> di;
  const auto gradient = hn::LoadU(d, dy);
  const auto winner = hn::PromoteTo(di, hn::LoadU(ByteTag<D>(), index));
  for (int64_t r = w.rows.begin; r < w.rows.end; ++r)
    for (int64_t c = w.columns.begin; c < w.columns.end; ++c) {
      const bool inside = r < plan.rows.size && c < plan.columns.size;
      const int64_t k = inside ? r * plan.columns.size + c : -1;
      const auto wins = hn::Eq(winner, hn::Set(di, static_cast<int32_t>(k)));
      body(dx + r * plan.input_row() + c * plan.lanes,
           hn::IfThenElseZero(hn::RebindMask(d, wins), gradient));
    }
}

void max_gradient_disjoint(const PoolingPlan& plan, const uint8_t* index, const float* dy,
                           float* dx, int64_t begin, int64_t end) {
  for_each_window(plan, begin, end, owned, [&](const Window& w) HWY_ATTR {
    for_each_vector(plan.lanes, [&](auto d, int64_t lane) HWY_ATTR {
      const int64_t from = w.output + lane;
      for_each_share(d, plan, w, index + from, dy + from, dx + w.input + lane,
                     [&](float* to, auto share) HWY_ATTR { hn::StoreU(share, d, to); });
    });
  });
}

void max_gradient_2x2(const PoolingPlan& plan, const uint8_t* index, const float* dy, float* dx,
                      int64_t begin, int64_t end) {
  const int64_t lanes = plan.lanes, row = plan.input_row(), covered_row = 2 * plan.output_row();
  for (int64_t i = begin; i < end; ++i) {
    float* to = dx + halved_row(plan, i);
    const int64_t last = (i + 1) * plan.output_row();
    for (int64_t from = i * plan.output_row(); from < last; from += lanes, to += 2 * lanes)
      for_each_vector(lanes, [&](auto d, int64_t lane) HWY_ATTR {
        const hn::RebindToSigned<decltype(d)> di;
        const hn::Rebind<uint8_t, decltype(d)> bytes;
        const auto gradient = hn::LoadU(d, dy + from + lane);
        const auto winner = hn::PromoteTo(di, hn::LoadU(bytes, index + from + lane));
        const auto share = [&](int32_t k) HWY_ATTR {
          return hn::IfThenElseZero(hn::RebindMask(d, hn::Eq(winner, hn::Set(di, k))), gradient);
        };
        hn::StoreU(share(0), d, to + lane);
        hn::StoreU(share(1), d, to + lanes + lane);
        hn::StoreU(share(2), d, to + row + lane);
        hn::StoreU(share(3), d, to + row + lanes + lane);
      });
    // The margins that no window covers.
    float* start = dx + halved_row(plan, i);
    std::fill(start + covered_row, start + row, 0.0f);
    std::fill(start + row + covered_row, start + 2 * row, 0.0f);
    const int64_t rows_below = plan.rows.input - 2 * plan.rows.output;
    if ((i + 1) % plan.rows.output == 0) std::fill_n(start + 2 * row, rows_below * row, 0.0f);
  }
}

void max_gradient_rows(const PoolingPlan& plan, const uint8_t* index, const float* dy, float* dx,
                       int64_t begin, int64_t end) {
  if (halves(plan)) return max_gradient_2x2(plan, index, dy, dx, begin, end);
  if (plan.disjoint()) return max_gradient_disjoint(plan, index, dy, dx, begin, end);
  fill_planes(plan, dx, begin, end);
  for_each_window(plan, begin, end, covered, [&](const Window& w) HWY_ATTR {
    for_each_vector(plan.lanes, [&](auto d, int64_t lane) HWY_ATTR {
      const int64_t from = w.output + lane;
      for_each_share(d, plan, w, index + from, dy + from, dx + w.input + lane,
                     [&](float* to, auto share)
                         HWY_ATTR { hn::StoreU(hn::Add(hn::LoadU(d, to), share), d, to); });
    });
  });
}

}  // namespace plimsoll::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace plimsoll::kernels {

HWY_EXPORT(max_rows);
HWY_EXPORT(max_gradient_rows);

void max_pool_rows(const PoolingPlan& plan, const float* x, float* y, uint8_t* index, int64_t begin,
                   int64_t end) {
  HWY_DYNAMIC_DISPATCH(max_rows)(plan, x, y, index, begin, end);
}

void max_pool_gradient_rows(const PoolingPlan& plan, const uint8_t* index, const float* dy,
                            float* dx, int64_t begin, int64_t end) {
  HWY_DYNAMIC_DISPATCH(max_gradient_rows)(plan, index, dy, dx, begin, end);
}

}  // namespace plimsoll::kernels
#endif
