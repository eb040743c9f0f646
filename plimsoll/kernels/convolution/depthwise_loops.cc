#include "plimsoll/kernels/convolution/depthwise_loops.h"

#include <algorithm>
#include <type_traits>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "plimsoll/kernels/convolution/depthwise_loops.cc"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "plimsoll/kernels/gemm/lane_vectors-inl.h"

HWY_BEFORE_NAMESPACE();
namespace plimsoll::kernels::HWY_NAMESPACE {

// Outputs, and taps of a kernel gradient, that are summed side by side in registers.
constexpr int kOutputs = 8, kTaps = 9;

// Calls body(integral constant) with `size`, 1 <= size <= kMost.
template <int kMost, class Body>
HWY_INLINE void with_constant(int64_t size, const Body& body) {
  if constexpr (kMost > 1) {
    if (size < kMost) return with_constant<kMost - 1>(size, body);
  }
  body(std::integral_constant<int, kMost>());
}

// What all tiles of a call have in common.
struct SumArguments {
  const DepthwiseWindows* windows;
  const float *x, *weights, *bias;  // bias may be null
  bool relu;
  float* y;
};

// Adds the products of one row of taps to kCount sums. With kColumns taps that read where the next
// output's taps read, each vector of x is loaded once; otherwise (kColumns is 0) for each product.
template <int kCount, int kColumns, class D>
HWY_INLINE void add_row(D d, const DepthwiseTaps& taps, const float* HWY_RESTRICT x, int64_t step,
                        const float* HWY_RESTRICT weights, hn::Vec<D>* sums) {
  if constexpr (kColumns > 0) {
    hn::Vec<D> weight[kColumns];
    for (int c = 0; c < kColumns; ++c) weight[c] = hn::LoadU(d, weights + c * taps.column_weight);
    for (int i = 0; i < kCount + kColumns - 1; ++i) {
      const auto value = hn::LoadU(d, x + i * step);
      for (int c = 0; c < kColumns; ++c)
        if (i - c >= 0 && i - c < kCount) sums[i - c] = hn::MulAdd(weight[c], value, sums[i - c]);
    }
  } else {
    for (int64_t c = 0; c < taps.columns; ++c, x += taps.column_x, weights += taps.column_weight) {
      const auto weight = hn::LoadU(d, weights);
      for (int i = 0; i < kCount; ++i)
        sums[i] = hn::MulAdd(weight, hn::LoadU(d, x + i * step), sums[i]);
    }
  }
}

// kCount outputs along the inner steps, one vector of channels.
template <int kCount, int kColumns, class D>
HWY_INLINE void sum_tile(D d, const SumArguments& a, int64_t place, int64_t output, int64_t lane) {
  const DepthwiseWindows& w = *a.windows;
  const DepthwiseTaps& taps = *w.taps;
  hn::Vec<D> sums[kCount];
  for (auto& sum : sums) sum = a.bias == nullptr ? hn::Zero(d) : hn::LoadU(d, a.bias + lane);
  for (const DepthwiseTaps::Row& row : taps.rows)
    add_row<kCount, kColumns>(d, taps, a.x + (place + lane + row.x), w.inner.x,
                              a.weights + (row.weight + lane), sums);
  // A NaN stays one.
  if (a.relu)
    for (auto& sum : sums) sum = hn::IfThenElse(hn::Lt(sum, hn::Zero(d)), hn::Zero(d), sum);
  for (int i = 0; i < kCount; ++i) hn::StoreU(sums[i], d, a.y + output + lane + i * w.inner.y);
}

// All windows in tiles of kCount. The last tile of a row overlaps the one before it rather than
// being shorter.
template <int kCount, int kColumns>
HWY_INLINE void sum_rows(const SumArguments& a) {
  const DepthwiseWindows& w = *a.windows;
  for (int64_t i = 0; i < w.outer.count; ++i)
    for (int64_t next = 0; next < w.inner.count; next += kCount) {
      const int64_t j = std::min(next, w.inner.count - kCount);
      const int64_t place = w.place + i * w.outer.x + j * w.inner.x;
      const int64_t output = i * w.outer.y + j * w.inner.y;
      for_each_vector(w.lanes, [&](auto d, int64_t lane) HWY_ATTR {
        constexpr int kUnrolled = kColumns * int{std::is_same_v<decltype(d), Lanes8>};
        sum_tile<kCount, kUnrolled>(d, a, place, output, lane);
      });
    }
}

template <int kColumns>
HWY_INLINE void sum_tiles(const SumArguments& a) {
  const int64_t count = a.windows->inner.count, tiles = (count + kOutputs - 1) / kOutputs;
  with_constant<kOutputs>((count + tiles - 1) / tiles, [&](auto size) HWY_ATTR {
    sum_rows<decltype(size)::value, kColumns>(a);
  });
}

void sum_windows(const DepthwiseWindows& w, const float* x, const float* weights, const float* bias,
                 bool relu, float* y) {
  const SumArguments arguments{&w, x, weights, bias, relu, y};
  const bool dense = w.inner.x == w.taps->column_x;
  if (dense && w.taps->columns == 3) return sum_tiles<3>(arguments);
  if (dense && w.taps->columns == 5) return sum_tiles<5>(arguments);
  sum_tiles<0>(arguments);
}

// The products of all windows with kCount taps, one vector of channels.
template <int kCount>
HWY_INLINE void add_products(const DepthwiseProducts& p, const int64_t* places, int64_t lane,
                             float* HWY_RESTRICT to) {
  const Lanes8 d;
  hn::Vec<Lanes8> sums[kCount];
  for (auto& sum : sums) sum = hn::Zero(d);
  for (int64_t row = 0; row < p.rows; ++row) {
    const float* HWY_RESTRICT from[kCount];
    for (int t = 0; t < kCount; ++t) from[t] = p.x + row * p.x_row + places[t] + lane;
    const float* HWY_RESTRICT dy = p.dy + row * p.dy_row + lane;
    for (int64_t i = 0, at = 0; i < p.columns; ++i, at += p.x_column, dy += p.lanes) {
      const auto gradient = hn::LoadU(d, dy);
      for (int t = 0; t < kCount; ++t)
        sums[t] = hn::MulAdd(gradient, hn::LoadU(d, from[t] + at), sums[t]);
    }
  }
  for (int t = 0; t < kCount; ++t, to += p.lanes)
    hn::StoreU(hn::Add(hn::LoadU(d, to), sums[t]), d, to);
}

HWY_INLINE void add_gradients(const DepthwiseProducts& p, int64_t lane, float* HWY_RESTRICT to) {
  const Lanes8 d;
  hn::Vec<Lanes8> sums[4];
  for (auto& sum : sums) sum = hn::Zero(d);
  for (int64_t row = 0; row < p.rows; ++row)
    for (int64_t i = 0; i < p.columns; ++i)
      sums[i % 4] = hn::Add(sums[i % 4], hn::LoadU(d, p.dy + row * p.dy_row + i * p.lanes + lane));
  const auto total = hn::Add(hn::Add(sums[0], sums[1]), hn::Add(sums[2], sums[3]));
  hn::StoreU(hn::Add(hn::LoadU(d, to), total), d, to);
}

void sum_products(const DepthwiseProducts& p, bool bias, float* sums) {
  const auto count = static_cast<int64_t>(p.places.size());
  const int64_t groups = (count + kTaps - 1) / kTaps, size = (count + groups - 1) / groups;
  const auto vector = static_cast<int64_t>(hn::Lanes(Lanes8()));
  for (int64_t lane = 0; lane < p.lanes; lane += vector) {
    for (int64_t first = 0; first < count; first += size)
      with_constant<kTaps>(std::min(size, count - first), [&](auto taps) HWY_ATTR {
        add_products<decltype(taps)::value>(p, p.places.data() + first, lane,
                                            sums + first * p.lanes + lane);
      });
    if (bias) add_gradients(p, lane, sums + count * p.lanes + lane);
  }
}

}  // namespace plimsoll::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace plimsoll::kernels {

HWY_EXPORT(sum_windows);
HWY_EXPORT(sum_products);

void depthwise_sums(const DepthwiseWindows& windows, const float* x, const float* weights,
                    const float* bias, bool relu, float* y) {
  HWY_DYNAMIC_DISPATCH(sum_windows)(windows, x, weights, bias, relu, y);
}

void depthwise_products(const DepthwiseProducts& products, bool bias, float* sums) {
  HWY_DYNAMIC_DISPATCH(sum_products)(products, bias, sums);
}

}  // namespace plimsoll::kernels
#endif
