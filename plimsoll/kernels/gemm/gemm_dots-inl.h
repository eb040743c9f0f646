// Products with few rows or columns: every element of C is a dot product with lanes along k.
#if defined(PLIMSOLL_KERNELS_GEMM_DOTS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef PLIMSOLL_KERNELS_GEMM_DOTS_INL_H_
#undef PLIMSOLL_KERNELS_GEMM_DOTS_INL_H_
#else
#define PLIMSOLL_KERNELS_GEMM_DOTS_INL_H_
#endif

#include <hwy/highway.h>

#include <algorithm>
#include <cstdint>

#include "plimsoll/kernels/gemm/gemm_pack-inl.h"
#include "plimsoll/kernels/gemm/gemm_problem.h"
#include "plimsoll/kernels/gemm/gemm_tile-inl.h"

HWY_BEFORE_NAMESPACE();
namespace plimsoll::kernels::HWY_NAMESPACE {

inline constexpr int64_t kDotColumns = 5;

// Rows that go with this many columns, so that rows x columns sums hide the latency of FMA and the
// registers hold them with one vector of each row and one of B.
constexpr int64_t dot_rows(int64_t columns) {
  return columns <= 3 ? 4 : columns == 4 ? 3 : 2;
}

// One range of k of B: column j starts at b + j * b_column.
struct DotRange {
  int64_t k = 0;
  const float* a = nullptr;
  int64_t a_row = 0;
  const float* b = nullptr;
  int64_t b_column = 0;
};

template <int kRows, int kColumns>
void dot_tile(const DotRange& range, const Finish& finish, float* c, int64_t c_row) {
  const Float d;
  const float *a = range.a, *b = range.b;
  const int64_t a_row = range.a_row, b_column = range.b_column;
  Floats sums[kRows][kColumns];
#pragma GCC unroll 4
  for (int i = 0; i < kRows; ++i) {
#pragma GCC unroll 5
    for (int j = 0; j < kColumns; ++j) sums[i][j] = hn::Zero(d);
  }
  const int64_t whole = range.k / kLanes * kLanes;
  for (int64_t p = 0; p < whole; p += kLanes, a += kLanes, b += kLanes) {
    Floats rows[kRows];
#pragma GCC unroll 4
    for (int i = 0; i < kRows; ++i) {
      rows[i] = hn::LoadU(d, a + i * a_row);
      if constexpr (kColumns > 2) hwy::Prefetch(a + (kRows + i) * a_row);
    }
#pragma GCC unroll 5
    for (int j = 0; j < kColumns; ++j) {
      const Floats column = hn::LoadU(d, b + j * b_column);
#pragma GCC unroll 4
      for (int i = 0; i < kRows; ++i) sums[i][j] = hn::MulAdd(rows[i], column, sums[i][j]);
    }
  }
#pragma GCC unroll 4
  for (int i = 0; i < kRows; ++i) {
#pragma GCC unroll 5
    for (int j = 0; j < kColumns; ++j) {
      float sum = hn::GetLane(hn::SumOfLanes(d, sums[i][j]));
      for (int64_t p = 0; p < range.k - whole; ++p) sum += a[i * a_row + p] * b[j * b_column + p];
      finish_one(sum, finish, j, c + i * c_row + j);
    }
  }
}

using DotTile = void (*)(const DotRange&, const Finish&, float*, int64_t);
template <int kColumns>
constexpr DotTile dot_tile_of(bool one_row) {
  return one_row ? dot_tile<1, kColumns> : dot_tile<dot_rows(kColumns), kColumns>;
}
inline constexpr DotTile kDotTile[2][kDotColumns + 1] = {
    {nullptr, dot_tile_of<1>(false), dot_tile_of<2>(false), dot_tile_of<3>(false),
     dot_tile_of<4>(false), dot_tile_of<5>(false)},
    {nullptr, dot_tile_of<1>(true), dot_tile_of<2>(true), dot_tile_of<3>(true),
     dot_tile_of<4>(true), dot_tile_of<5>(true)}};

// `columns` columns of C, all rows of the range.
inline void dot_columns(DotRange range, int64_t rows, int64_t columns, const Finish& finish,
                        float* c, int64_t c_row) {
  const float* const a = range.a;
  const int64_t step = dot_rows(columns);
  for (int64_t i = 0; i < rows;) {
    const bool one_row = rows - i < step;
    range.a = a + i * range.a_row;
    kDotTile[one_row][columns](range, finish, c + i * c_row, c_row);
    i += one_row ? 1 : step;
  }
}

// Whichever operand is longer passes by once; the range of the other stays in cache meanwhile.
inline void multiply_dots(const GemmBlock& block, const GemmPlan& plan, float* packed_b) {
  const int64_t groups = (block.n + kDotColumns - 1) / kDotColumns;
  const int64_t rows_at_once = std::min(plan.block_m, block.m);
  int64_t p0 = 0;
  do {
    const int64_t k = std::min(plan.block_k, block.k - p0);
    const bool last = p0 + k == block.k;
    DotRange range = {k, block.a + p0, block.a_row, block.b + p0 * block.b_k, block.b_column};
    if (plan.pack_b) {
      transpose(range.b, block.b_k, k, block.n, plan.block_k, packed_b);
      range.b = packed_b;
      range.b_column = plan.block_k;
    }
    for (int64_t i = 0; i < block.m; i += rows_at_once) {
      for (int64_t group = 0; group < groups; ++group) {
        const int64_t j = block.n * group / groups, end = block.n * (group + 1) / groups;
        DotRange part = range;
        part.a += i * block.a_row;
        part.b += j * range.b_column;
        const Finish finish = {.accumulate = block.accumulate || p0 > 0,
                               .bias = last && block.bias ? block.bias + j : nullptr,
                               .relu = last && block.relu};
        dot_columns(part, std::min(rows_at_once, block.m - i), end - j, finish,
                    block.c + i * block.c_row + j, block.c_row);
      }
    }
    p0 += k;
  } while (p0 < block.k);
}

}  // namespace plimsoll::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
