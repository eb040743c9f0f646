// Copies blocks of the operands into buffers that the micro-kernel reads in order.
#if defined(PLIMSOLL_KERNELS_GEMM_PACK_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef PLIMSOLL_KERNELS_GEMM_PACK_INL_H_
#undef PLIMSOLL_KERNELS_GEMM_PACK_INL_H_
#else
#define PLIMSOLL_KERNELS_GEMM_PACK_INL_H_
#endif

#include <hwy/highway.h>

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "plimsoll/kernels/gemm/gemm_tile-inl.h"

HWY_BEFORE_NAMESPACE();
namespace plimsoll::kernels::HWY_NAMESPACE {

// to[p * width + j] = from[j * row + p] for j < kStripRows, p < kStripSteps.
#if HWY_TARGET == HWY_SCALAR
inline constexpr int64_t kStripRows = 1, kStripSteps = 1;

inline void transpose_strip(const float* from, int64_t, int64_t, float* to) {
  *to = *from;
}
#else
using Strip = hn::CappedTag<float, 8>;
inline constexpr int64_t kStripRows = static_cast<int64_t>(hn::MaxLanes(Strip())), kStripSteps = 4;

// Four floats, and in a vector of eight those of the row that is four rows further on.
HWY_INLINE hn::Vec<Strip> load_strip_rows(const float* from, int64_t row) {
  const Strip d;
  const hn::Half<Strip> half;
  if constexpr (kStripRows == 4)
    return hn::LoadU(d, from);
  else
    return hn::Combine(d, hn::LoadU(half, from + 4 * row), hn::LoadU(half, from));
}

HWY_INLINE void transpose_strip(const float* from, int64_t row, int64_t width, float* to) {
  const Strip d;
  const hn::Repartition<double, Strip> pairs;
  const auto load = [&](int64_t j) HWY_ATTR { return load_strip_rows(from + j * row, row); };
  const auto r0 = load(0), r1 = load(1), r2 = load(2), r3 = load(3);
  const auto low01 = hn::BitCast(pairs, hn::InterleaveLower(d, r0, r1));
  const auto low23 = hn::BitCast(pairs, hn::InterleaveLower(d, r2, r3));
  const auto high01 = hn::BitCast(pairs, hn::InterleaveUpper(d, r0, r1));
  const auto high23 = hn::BitCast(pairs, hn::InterleaveUpper(d, r2, r3));
  hn::StoreU(hn::BitCast(d, hn::InterleaveLower(pairs, low01, low23)), d, to);
  hn::StoreU(hn::BitCast(d, hn::InterleaveUpper(pairs, low01, low23)), d, to + width);
  hn::StoreU(hn::BitCast(d, hn::InterleaveLower(pairs, high01, high23)), d, to + 2 * width);
  hn::StoreU(hn::BitCast(d, hn::InterleaveUpper(pairs, high01, high23)), d, to + 3 * width);
}
#endif

// to[p * width + j] = from[j * row + p] for j < rows, p < k. The last strips overlap the ones
// before them, so that no element is left over.
inline void transpose(const float* from, int64_t row, int64_t rows, int64_t k, int64_t width,
                      float* to) {
  if (rows < kStripRows || k < kStripSteps) {
    for (int64_t j = 0; j < rows; ++j)
      for (int64_t p = 0; p < k; ++p) to[p * width + j] = from[j * row + p];
    return;
  }
  for (int64_t j = 0; j < rows; j += kStripRows) {
    const int64_t j0 = std::min(j, rows - kStripRows);
    for (int64_t p = 0; p < k; p += kStripSteps) {
      const int64_t p0 = std::min(p, k - kStripSteps);
      transpose_strip(from + j0 * row + p0, row, width, to + p0 * width + j0);
    }
  }
}

// One panel of B: kTileColumns floats for each of k steps, zeros past `columns`.
inline void pack_b_panel(const float* b, int64_t b_k, int64_t b_column, int64_t k, int64_t columns,
                         float* to) {
  const Float d;
  if (columns < kTileColumns) std::fill_n(to, k * kTileColumns, 0.0f);
  if (b_column != 1) return transpose(b, b_column, columns, k, kTileColumns, to);
  for (int64_t p = 0; p < k; ++p, b += b_k, to += kTileColumns) {
    if (columns < kTileColumns) {
      std::copy_n(b, columns, to);
    } else {
      hn::StoreU(hn::LoadU(d, b), d, to);
      hn::StoreU(hn::LoadU(d, b + kLanes), d, to + kLanes);
    }
  }
}

// A block of A: row after row where A's rows are contiguous, else panels of kTileRows columns.
inline void pack_a_block(const float* a, int64_t a_row, int64_t a_k, int64_t rows, int64_t k,
                         float* to) {
  if (a_k == 1) {
    for (int64_t i = 0; i < rows; ++i) std::memcpy(to + i * k, a + i * a_row, sizeof(float) * k);
    return;
  }
  const int64_t whole = rows / kTileRows * kTileRows;
  for (int64_t p = 0; p < k; ++p, a += a_k, to += kTileRows) {
    for (int64_t i = 0; i < whole; i += kTileRows)
      std::memcpy(to + i * k, a + i, sizeof(float) * kTileRows);
    std::copy(a + whole, a + rows, to + whole * k);
  }
}

}  // namespace plimsoll::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
