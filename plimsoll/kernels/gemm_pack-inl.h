// Copies blocks of the operands to where the micro-kernel reads them in order.
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

#include "plimsoll/kernels/gemm_tile-inl.h"

HWY_BEFORE_NAMESPACE();
namespace plimsoll::kernels::HWY_NAMESPACE {

#if HWY_TARGET == HWY_SCALAR
inline constexpr int64_t kSquare = 1;
inline void transpose_square(const float* from, int64_t, int64_t, float* to) {
  *to = *from;
}
#else
inline constexpr int64_t kSquare = 4;

// to[p * width + j] = from[j * row + p] for j, p < kSquare.
HWY_INLINE void transpose_square(const float* from, int64_t row, int64_t width, float* to) {
  const hn::FixedTag<float, 4> d;
  const hn::FixedTag<double, 2> pairs;
  const auto r0 = hn::LoadU(d, from), r1 = hn::LoadU(d, from + row);
  const auto r2 = hn::LoadU(d, from + 2 * row), r3 = hn::LoadU(d, from + 3 * row);
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

// to[p * width + j] = from[j * row + p] for j < rows, p < k.
inline void transpose(const float* from, int64_t row, int64_t rows, int64_t k, int64_t width,
                      float* to) {
  const int64_t whole_rows = rows / kSquare * kSquare, whole_k = k / kSquare * kSquare;
  for (int64_t p = 0; p < whole_k; p += kSquare)
    for (int64_t j = 0; j < whole_rows; j += kSquare)
      transpose_square(from + j * row + p, row, width, to + p * width + j);
  for (int64_t j = 0; j < rows; ++j)
    for (int64_t p = j < whole_rows ? whole_k : 0; p < k; ++p)
      to[p * width + j] = from[j * row + p];
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

// A block of A: rows after rows where A's rows are contiguous, else panels of kTileRows columns.
inline void pack_a_block(const float* a, int64_t a_row, int64_t a_k, int64_t rows, int64_t k,
                         float* to) {
  if (a_k == 1) {
    for (int64_t i = 0; i < rows; ++i) std::memcpy(to + i * k, a + i * a_row, sizeof(float) * k);
    return;
  }
  for (int64_t i = 0; i < rows; i += kTileRows) {
    const int64_t count = std::min(kTileRows, rows - i);
    for (int64_t p = 0; p < k; ++p, to += kTileRows) std::copy_n(a + p * a_k + i, count, to);
  }
}

}  // namespace plimsoll::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
