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

// 6 x 2 sums, two vectors of B and one of A fill the 16 registers of AVX2.
inline constexpr int64_t kTileRows = 6;
inline constexpr int64_t kLanes = static_cast<int64_t>(hn::MaxLanes(Float()));
inline constexpr int64_t kTileColumns = 2 * kLanes;

// What happens to sums on their way to C.
struct Finish {
  bool accumulate = false;
  const float* bias = nullptr;  // of the tile's first column
  bool relu = false;
};

struct Tile {
  int64_t k = 0;
  const float* a = nullptr;
  int64_t a_row = 0, a_k = 0;
  const float* b = nullptr;  // kTileColumns floats at each step of k
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

HWY_INLINE void finish_vector(Floats sum, const Finish& finish, int64_t column, float* c) {
  const Float d;
  if (finish.accumulate) sum = hn::Add(hn::LoadU(d, c), sum);
  if (finish.bias) sum = hn::Add(sum, hn::LoadU(d, finish.bias + column));
  if (finish.relu) sum = hn::IfThenZeroElse(hn::Lt(sum, hn::Zero(d)), sum);
  hn::StoreU(sum, d, c);
}

// A tile that C cuts short, or whose columns are not contiguous there. `sums`: kTileColumns a row.
HWY_NOINLINE void finish_ragged(const float* sums, int64_t rows, const Tile& tile) {
  for (int64_t i = 0; i < rows; ++i)
    for (int64_t j = 0; j < tile.columns; ++j)
      finish_one(sums[i * kTileColumns + j], tile.finish, j,
                 tile.c + i * tile.c_row + j * tile.c_column);
}

template <int kRows>
void multiply_tile(const Tile& tile) {
  const Float d;
  const float* a = tile.a;
  const float* b = tile.b;
  const int64_t a_row = tile.a_row, a_k = tile.a_k, b_k = tile.b_k;
  Floats left[kRows], right[kRows];
#pragma GCC unroll 6
  for (int i = 0; i < kRows; ++i) left[i] = right[i] = hn::Zero(d);
  for (int64_t p = 0; p < tile.k; ++p) {
    const Floats b_left = hn::LoadU(d, b), b_right = hn::LoadU(d, b + kLanes);
#pragma GCC unroll 6
    for (int i = 0; i < kRows; ++i) {
      const Floats a_value = hn::Set(d, a[i * a_row]);
      left[i] = hn::MulAdd(a_value, b_left, left[i]);
      right[i] = hn::MulAdd(a_value, b_right, right[i]);
    }
    a += a_k;
    b += b_k;
  }
  if (tile.columns == kTileColumns && tile.c_column == 1) {
#pragma GCC unroll 6
    for (int i = 0; i < kRows; ++i) {
      finish_vector(left[i], tile.finish, 0, tile.c + i * tile.c_row);
      finish_vector(right[i], tile.finish, kLanes, tile.c + i * tile.c_row + kLanes);
    }
  } else {
    HWY_ALIGN float sums[kRows * kTileColumns];
#pragma GCC unroll 6
    for (int i = 0; i < kRows; ++i) {
      hn::Store(left[i], d, sums + i * kTileColumns);
      hn::Store(right[i], d, sums + i * kTileColumns + kLanes);
    }
    finish_ragged(sums, kRows, tile);
  }
}

using MultiplyTile = void (*)(const Tile&);
inline constexpr MultiplyTile kMultiplyTile[kTileRows + 1] = {
    nullptr,          multiply_tile<1>, multiply_tile<2>, multiply_tile<3>,
    multiply_tile<4>, multiply_tile<5>, multiply_tile<6>};

}  // namespace plimsoll::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
