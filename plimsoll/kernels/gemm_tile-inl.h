// The micro-kernel: one tile of C, as large as the registers hold, over a range of k.
#if defined(PLIMSOLL_KERNELS_GEMM_TILE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef PLIMSOLL_KERNELS_GEMM_TILE_INL_H_
#undef PLIMSOLL_KERNELS_GEMM_TILE_INL_H_
#else
#define PLIMSOLL_KERNELS_GEMM_TILE_INL_H_
#endif

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

// What happens to a tile's sums on their way to C.
struct Finish {
  bool accumulate = false;
  const float* bias = nullptr;
  bool relu = false;
};

HWY_INLINE Floats load_first(const float* from, int64_t count) {
  const Float d;
  if (count >= kLanes) return hn::LoadU(d, from);
  HWY_ALIGN float lanes[kLanes] = {};
  for (int64_t i = 0; i < count; ++i) lanes[i] = from[i];
  return hn::Load(d, lanes);
}

HWY_INLINE void store_first(Floats values, int64_t count, float* to) {
  const Float d;
  if (count >= kLanes) return hn::StoreU(values, d, to);
  HWY_ALIGN float lanes[kLanes];
  hn::Store(values, d, lanes);
  for (int64_t i = 0; i < count; ++i) to[i] = lanes[i];
}

// Writes the first `count` lanes; touches no others. NaN passes through the activation.
HWY_INLINE void finish_vector(Floats sum, const Finish& finish, int64_t column, int64_t count,
                              float* c) {
  if (count <= 0) return;
  const Float d;
  if (finish.accumulate) sum = hn::Add(load_first(c + column, count), sum);
  if (finish.bias) sum = hn::Add(sum, load_first(finish.bias + column, count));
  if (finish.relu) sum = hn::IfThenZeroElse(hn::Lt(sum, hn::Zero(d)), sum);
  store_first(sum, count, c + column);
}

// `b` holds kTileColumns floats for each of k steps that are b_k apart; `columns` of them count.
template <int kRows>
void multiply_tile(int64_t k, const float* HWY_RESTRICT a, int64_t a_row, int64_t a_k,
                   const float* HWY_RESTRICT b, int64_t b_k, int64_t columns, const Finish& finish,
                   float* HWY_RESTRICT c, int64_t ldc) {
  const Float d;
  Floats left[kRows], right[kRows];
#pragma GCC unroll 6
  for (int i = 0; i < kRows; ++i) left[i] = right[i] = hn::Zero(d);
  for (int64_t p = 0; p < k; ++p) {
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
#pragma GCC unroll 6
  for (int i = 0; i < kRows; ++i) {
    finish_vector(left[i], finish, 0, columns, c + i * ldc);
    finish_vector(right[i], finish, kLanes, columns - kLanes, c + i * ldc);
  }
}

using MultiplyTile = decltype(&multiply_tile<1>);
inline constexpr MultiplyTile kMultiplyTile[kTileRows + 1] = {
    nullptr,          multiply_tile<1>, multiply_tile<2>, multiply_tile<3>,
    multiply_tile<4>, multiply_tile<5>, multiply_tile<6>};

}  // namespace plimsoll::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
