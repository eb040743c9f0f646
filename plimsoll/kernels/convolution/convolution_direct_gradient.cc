#include "plimsoll/kernels/convolution/convolution_direct_plan.h"
#include "plimsoll/kernels/pooling/pooling.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "plimsoll/kernels/convolution/convolution_direct_gradient.cc"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <algorithm>

#include "plimsoll/kernels/gemm/lane_vectors-inl.h"

HWY_BEFORE_NAMESPACE();
namespace plimsoll::kernels::HWY_NAMESPACE {

using Float = Lanes8;
using Floats = hn::Vec<Float>;
using Int = hn::RebindToSigned<Float>;
using Byte = hn::Rebind<uint8_t, Float>;
constexpr int64_t kLanes = static_cast<int64_t>(hn::MaxLanes(Float()));

// Sums that fit into 16 registers beside what they are made of.
constexpr int64_t kTileTaps = 9;

// A vector that picks a float of 128 bits for each lane, from the floats' numbers, and its use.
#if HWY_TARGET == HWY_SCALAR
HWY_INLINE hn::Vec<Int> make_pick(hn::Vec<Int> number) {
  return number;
}
HWY_INLINE Floats pick_of(const float* four, hn::Vec<Int> pick) {
  return hn::Set(Float(), four[hn::GetLane(pick)]);
}
#else
HWY_INLINE hn::Vec<Int> make_pick(hn::Vec<Int> number) {
  const Int d;
  return hn::Add(hn::Mul(number, hn::Set(d, 0x04040404)), hn::Set(d, 0x03020100));
}
HWY_INLINE Floats pick_of(const float* four, hn::Vec<Int> pick) {
  const hn::Repartition<uint8_t, Float> bytes;
  const auto floats = hn::BitCast(bytes, hn::LoadDup128(Float(), four));
  return hn::BitCast(Float(), hn::TableLookupBytes(floats, hn::BitCast(bytes, pick)));
}
#endif

// to[k * entry + j] = the k-th float of row j, for k < 4: the positions of four taps.
#if HWY_TARGET != HWY_SCALAR
HWY_INLINE void transpose_taps(const float* row0, const float* row1, const float* row2,
                               const float* row3, int64_t entry, float* to) {
  const hn::FixedTag<float, 4> d;
  const hn::FixedTag<double, 2> pairs;
  const auto r0 = hn::LoadU(d, row0), r1 = hn::LoadU(d, row1);
  const auto r2 = hn::LoadU(d, row2), r3 = hn::LoadU(d, row3);
  const auto low01 = hn::BitCast(pairs, hn::InterleaveLower(d, r0, r1));
  const auto low23 = hn::BitCast(pairs, hn::InterleaveLower(d, r2, r3));
  const auto high01 = hn::BitCast(pairs, hn::InterleaveUpper(d, r0, r1));
  const auto high23 = hn::BitCast(pairs, hn::InterleaveUpper(d, r2, r3));
  hn::StoreU(hn::BitCast(d, hn::InterleaveLower(pairs, low01, low23)), d, to);
  hn::StoreU(hn::BitCast(d, hn::InterleaveUpper(pairs, low01, low23)), d, to + entry);
  hn::StoreU(hn::BitCast(d, hn::InterleaveLower(pairs, high01, high23)), d, to + 2 * entry);
  hn::StoreU(hn::BitCast(d, hn::InterleaveUpper(pairs, high01, high23)), d, to + 3 * entry);
}
#endif

// patches[(m * kernel rows + r) * 4 + p]: float m of row r as the convolution position p of a
// window sees it, so that a window's taps follow one another and the four positions of a tap are
// one vector of 128 bits.
void fill_pooled_patches(const DirectPlan& plan, const DirectGradientRow& row, int64_t count) {
  const int64_t entry = 4 * plan.kernel_rows, step = plan.step;
  for (int64_t r = 0; r < plan.kernel_rows; ++r) {
    const float* x = row.rows + r * row.row_stride;
    const float* below = x + plan.lower * row.row_stride;
    float* to = row.patches + 4 * r;
    int64_t m = 0;
#if HWY_TARGET != HWY_SCALAR
    for (; m + 4 <= count; m += 4)
      transpose_taps(x + m, x + m + step, below + m, below + m + step, entry, to + m * entry);
#endif
    for (; m < count; ++m) {
      to[m * entry] = x[m];
      to[m * entry + 1] = x[m + step];
      to[m * entry + 2] = below[m];
      to[m * entry + 3] = below[m + step];
    }
  }
}

// The same with one position.
void fill_patches(const DirectPlan& plan, const DirectGradientRow& row, int64_t count) {
  for (int64_t r = 0; r < plan.kernel_rows; ++r)
    for (int64_t m = 0; m < count; ++m)
      row.patches[m * plan.kernel_rows + r] = row.rows[r * row.row_stride + m];
}

// For each window: the gradients of a vector of filters, 0 where none flows, and the bytes that
// pick a position's float out of 128 bits. Returns the sum of the gradients.
Floats fill_window_gradients(const FilterView& view, const DirectGradientRow& row, int64_t filter,
                             float* gradients, int32_t* picks) {
  const Float d;
  const Int di;
  const float* dy = row.dy + view.offset(filter);
  const uint8_t* index = row.index + view.offset(filter);
  Floats sum = hn::Zero(d);
  for (int64_t w = 0; w < row.windows; ++w) {
    const auto position = hn::PromoteTo(di, hn::LoadU(Byte(), index + w * view.pixel_stride));
    const auto none = hn::Eq(position, hn::Set(di, kNoPosition));
    const Floats gradient =
        hn::IfThenZeroElse(hn::RebindMask(d, none), hn::LoadU(d, dy + w * view.pixel_stride));
    hn::Store(gradient, d, gradients + w * kLanes);
    hn::Store(make_pick(hn::And(position, hn::Set(di, 3))), di, picks + w * kLanes);
    sum = hn::Add(sum, gradient);
  }
  return sum;
}

// The sums of a tile's taps. Named, not an array, so that they stay in registers.
template <int64_t kTaps>
struct TapSums {
  Floats s0, s1, s2, s3, s4, s5, s6, s7, s8;

  // Calls body(sum, tap) for each.
  template <class Body>
  HWY_INLINE void for_each(const Body& body) {
    body(s0, 0);
    if constexpr (kTaps > 1) body(s1, 1);
    if constexpr (kTaps > 2) body(s2, 2);
    if constexpr (kTaps > 3) body(s3, 3);
    if constexpr (kTaps > 4) body(s4, 4);
    if constexpr (kTaps > 5) body(s5, 5);
    if constexpr (kTaps > 6) body(s6, 6);
    if constexpr (kTaps > 7) body(s7, 7);
    if constexpr (kTaps > 8) body(s8, 8);
  }
};

// kernel[t * filters] += the sum over windows of patch[t] * gradient, for kTaps taps.
template <bool kPooled, int64_t kTaps>
void add_taps(const float* patch, int64_t patch_step, const float* gradients, int64_t gradient_step,
              const int32_t* picks, int64_t windows, int64_t filters, float* kernel) {
  const Float d;
  TapSums<kTaps> sums;
  sums.for_each([&](Floats& sum, int64_t t) HWY_ATTR { sum = hn::LoadU(d, kernel + t * filters); });
  for (int64_t w = 0; w < windows; ++w) {
    const Floats gradient = hn::LoadU(d, gradients);
    if constexpr (kPooled) {
      const auto pick = hn::Load(Int(), picks);
      sums.for_each([&](Floats& sum, int64_t t) HWY_ATTR {
        sum = hn::MulAdd(pick_of(patch + 4 * t, pick), gradient, sum);
      });
      picks += kLanes;
    } else {
      sums.for_each([&](Floats& sum, int64_t t)
                        HWY_ATTR { sum = hn::MulAdd(hn::Set(d, patch[t]), gradient, sum); });
    }
    patch += patch_step;
    gradients += gradient_step;
  }
  sums.for_each([&](Floats& sum, int64_t t) HWY_ATTR { hn::StoreU(sum, d, kernel + t * filters); });
}

using AddTaps = decltype(&add_taps<true, 1>);
template <bool kPooled>
constexpr AddTaps kAddTaps[kTileTaps + 1] = {nullptr,
                                             &add_taps<kPooled, 1>,
                                             &add_taps<kPooled, 2>,
                                             &add_taps<kPooled, 3>,
                                             &add_taps<kPooled, 4>,
                                             &add_taps<kPooled, 5>,
                                             &add_taps<kPooled, 6>,
                                             &add_taps<kPooled, 7>,
                                             &add_taps<kPooled, 8>,
                                             &add_taps<kPooled, 9>};

// How the gradients of one vector of filters follow one another, a window after the other.
struct WindowGradients {
  const float* first = nullptr;
  int64_t step = 0;
  const int32_t* picks = nullptr;
};

void add_to_bias(Floats sum, float* bias) {
  hn::StoreU(hn::Add(hn::LoadU(Float(), bias), sum), Float(), bias);
}

// Taps outside, filters inside: a tile of patches serves all filters while it is in the first-level
// cache.
template <bool kPooled, class GradientsOf>
void add_all_taps(const DirectPlan& plan, const DirectGradientRow& row,
                  const GradientsOf& gradients_of) {
  constexpr int64_t kWidth = kPooled ? 4 : 1;
  const int64_t patch_step = plan.window_step() * plan.kernel_rows * kWidth;
  for (int64_t tap = 0; tap < plan.taps(); tap += kTileTaps) {
    const AddTaps add = kAddTaps<kPooled>[std::min(kTileTaps, plan.taps() - tap)];
    for (int64_t filter = 0; filter < plan.filters; filter += kLanes) {
      const WindowGradients gradients = gradients_of(filter);
      add(row.patches + tap * kWidth, patch_step, gradients.first, gradients.step, gradients.picks,
          row.windows, plan.filters, row.kernel + tap * plan.filters + filter);
    }
  }
}

void pooled_gradient_row(const DirectPlan& plan, const FilterView& view,
                         const DirectGradientRow& row) {
  float* gradients = row.window_gradients;
  auto* picks = reinterpret_cast<int32_t*>(gradients + plan.windows * plan.filters);
  for (int64_t filter = 0; filter < plan.filters; filter += kLanes)
    add_to_bias(fill_window_gradients(view, row, filter, gradients + filter * plan.windows,
                                      picks + filter * plan.windows),
                row.bias + filter);
  add_all_taps<true>(plan, row, [&](int64_t filter) {
    const int64_t at = filter * plan.windows;
    return WindowGradients{gradients + at, kLanes, picks + at};
  });
}

void plain_gradient_row(const DirectPlan& plan, const FilterView& view,
                        const DirectGradientRow& row) {
  const Float d;
  for (int64_t filter = 0; filter < plan.filters; filter += kLanes) {
    const float* dy = row.dy + view.offset(filter);
    Floats sum = hn::Zero(d);
    for (int64_t w = 0; w < row.windows; ++w)
      sum = hn::Add(sum, hn::LoadU(d, dy + w * view.pixel_stride));
    add_to_bias(sum, row.bias + filter);
  }
  add_all_taps<false>(plan, row, [&](int64_t filter) {
    return WindowGradients{row.dy + view.offset(filter), view.pixel_stride, nullptr};
  });
}

void gradient_row(const DirectPlan& plan, const FilterView& view, const DirectGradientRow& row) {
  const int64_t count = (row.windows - 1) * plan.window_step() + plan.row_taps;
  if (plan.pooled) {
    fill_pooled_patches(plan, row, count);
    pooled_gradient_row(plan, view, row);
  } else {
    fill_patches(plan, row, count);
    plain_gradient_row(plan, view, row);
  }
}

}  // namespace plimsoll::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace plimsoll::kernels {

HWY_EXPORT(gradient_row);

void direct_gradient_row(const DirectPlan& plan, const FilterView& view,
                         const DirectGradientRow& row) {
  HWY_DYNAMIC_DISPATCH(gradient_row)(plan, view, row);
}

int64_t direct_patch_floats(const DirectPlan& plan) {
  const int64_t count = (plan.windows - 1) * plan.window_step() + plan.row_taps;
  return count * plan.kernel_rows * (plan.pooled ? 4 : 1);
}

int64_t direct_window_floats(const DirectPlan& plan) {
  return plan.pooled ? 2 * plan.windows * plan.filters : 0;
}

}  // namespace plimsoll::kernels
#endif
