// The micro-kernel: one tile of C, as large as the registers hold, over a range of k.
#if defined(PLIMSOLL_KERNELS_GEMM_TILE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef PLIMSOLL_KERNELS_GEMM_TILE_INL_H_
#undef PLIMSOLL_KERNELS_GEMM_TILE_INL_H_
#else
#define PLIMSOLL_KERNELS_GEMM_TILE_INL_H_
#endif

#include <hwy/cache_control.h>
#include <hwy/highway.h>

#include <cstdint>

HWY_BEFORE_NAMESPACE();
namespace plimsoll::kernels::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using Float = hn::ScalableTag<float>;
using Floats = hn::Vec<Float>;

// Rows x vectors of a tile. 6 x 2 sums, two vectors of B and one of A fill the 16 registers of
// AVX2.
inline constexpr int64_t kTileRows = 6;
inline constexpr int64_t kLanes = static_cast<int64_t>(hn::MaxLanes(Float()));
inline constexpr int64_t kTileColumns = 2 * kLanes;

// What is done to sums before they are written to C.
struct Finish {
  bool accumulate = false;
  const float* bias = nullptr;  // of the tile's first column
  bool relu = false;
};

struct Tile {
  int64_t k = 0;
  const float* a = nullptr;
  int64_t a_row = 0, a_k = 0;
  const float* b = nullptr;  // the tile's whole width at each step of k
  int64_t b_k = 0;
  float* c = nullptr;
  int64_t c_row = 0, c_column = 0;
  int64_t columns = 0;  // of C; those of B past them are ignored
  Finish finish = {};
};

// NaN passes through the activation, as it does through `x < 0 ? 0 : x`.
HWY_INLINE void finish_one(float sum, const Finish& finish, int64_t column, float* c) {
  if (finish.accumulate) sum = *c + sum;
  if (finish.bias) sum += finish.bias[column];
  if (finish.relu) sum = sum < 0.0f ? 0.0f : sum;
  *c = sum;
}

// A tile that C cuts short, or whose columns are not contiguous there. `sums`: `width` per row.
HWY_NOINLINE inline void finish_ragged(const float* sums, int64_t rows, int64_t width,
                                       const Tile& tile) {
  for (int64_t i = 0; i < rows; ++i)
    for (int64_t j = 0; j < tile.columns; ++j)
      finish_one(sums[i * width + j], tile.finish, j, tile.c + i * tile.c_row + j * tile.c_column);
}

// Sums of a whole tile with contiguous columns.
template <int kRows, int kVectors>
HWY_INLINE void finish_whole(Floats (&sums)[kRows][kVectors], const Tile& tile) {
  const Float d;
  const Finish& finish = tile.finish;
  const auto for_each = [&](auto&& change) HWY_ATTR {
#pragma GCC unroll 6
    for (int i = 0; i < kRows; ++i) {
#pragma GCC unroll 8
      for (int v = 0; v < kVectors; ++v)
        change(sums[i][v], tile.c + i * tile.c_row + v * kLanes, v * kLanes);
    }
  };
  if (finish.accumulate)
    for_each([&](Floats& sum, float* c, int64_t) HWY_ATTR { sum = hn::LoadU(d, c) + sum; });
  if (finish.bias)
    for_each([&](Floats& sum, float*, int64_t column)
                 HWY_ATTR { sum = sum + hn::LoadU(d, finish.bias + column); });
  if (finish.relu)
    for_each([&](Floats& sum, float*, int64_t)
                 HWY_ATTR { sum = hn::IfThenZeroElse(hn::Lt(sum, hn::Zero(d)), sum); });
  for_each([&](Floats& sum, float* c, int64_t) HWY_ATTR { hn::StoreU(sum, d, c); });
}

template <int kRows, int kVectors>
void multiply_tile(const Tile& tile) {
  const Float d;
  const float* a = tile.a;
  const float* b = tile.b;
  const int64_t a_row = tile.a_row, a_k = tile.a_k, b_k = tile.b_k;
  Floats sums[kRows][kVectors];
#pragma GCC unroll 6
  for (int i = 0; i < kRows; ++i) {
    // The tile below, which usually comes next. The ends of its rows: where that is another line
    // than the start, the panel before touched the start.
    hwy::Prefetch(tile.c + (kRows + i) * tile.c_row + kTileColumns - 1);
#pragma GCC unroll 8
    for (int v = 0; v < kVectors; ++v) sums[i][v] = hn::Zero(d);
  }
  for (int64_t p = 0; p < tile.k; ++p, a += a_k, b += b_k) {
    Floats row[kVectors];
#pragma GCC unroll 8
    for (int v = 0; v < kVectors; ++v) row[v] = hn::LoadU(d, b + v * kLanes);
#pragma GCC unroll 6
    for (int i = 0; i < kRows; ++i) {
      const Floats a_value = hn::Set(d, a[i * a_row]);
#pragma GCC unroll 8
      for (int v = 0; v < kVectors; ++v) sums[i][v] = hn::MulAdd(a_value, row[v], sums[i][v]);
    }
  }
  constexpr int64_t kWidth = kVectors * kLanes;
  if (tile.columns == kWidth && tile.c_column == 1) return finish_whole(sums, tile);
  HWY_ALIGN float spilled[kRows * kWidth];
#pragma GCC unroll 6
  for (int i = 0; i < kRows; ++i) {
#pragma GCC unroll 8
    for (int v = 0; v < kVectors; ++v) hn::Store(sums[i][v], d, spilled + i * kWidth + v * kLanes);
  }
  finish_ragged(spilled, kRows, kWidth, tile);
}

using MultiplyTile = void (*)(const Tile&);
inline constexpr MultiplyTile kMultiplyTile[kTileRows + 1] = {nullptr,
                                                              multiply_tile<1, 2>,
                                                              multiply_tile<2, 2>,
                                                              multiply_tile<3, 2>,
                                                              multiply_tile<4, 2>,
                                                              multiply_tile<5, 2>,
                                                              multiply_tile<6, 2>};

// Tiles for so few rows that only more columns hide the latency of FMA. They want B in place.
inline constexpr int64_t kFewRows = 3;
inline constexpr int64_t kWideColumns[kFewRows + 1] = {0, 8 * kLanes, 4 * kLanes, 4 * kLanes};
inline constexpr MultiplyTile kMultiplyWideTile[kFewRows + 1] = {
    nullptr, multiply_tile<1, 8>, multiply_tile<2, 4>, multiply_tile<3, 4>};

}  // namespace plimsoll::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
