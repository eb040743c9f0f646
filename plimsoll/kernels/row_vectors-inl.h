// Rows of floats in vectors, the last of which may be only partly there.
#if defined(PLIMSOLL_KERNELS_ROW_VECTORS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef PLIMSOLL_KERNELS_ROW_VECTORS_INL_H_
#undef PLIMSOLL_KERNELS_ROW_VECTORS_INL_H_
#else
#define PLIMSOLL_KERNELS_ROW_VECTORS_INL_H_
#endif

#include <hwy/highway.h>

#include <algorithm>
#include <cstdint>

HWY_BEFORE_NAMESPACE();
namespace plimsoll::kernels::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
using RowTag = hn::ScalableTag<float>;
using RowVector = hn::Vec<RowTag>;
inline constexpr auto kRowLanes = static_cast<int64_t>(hn::MaxLanes(RowTag()));

// SSE has no masked loads and stores: Highway reads and writes whole vectors instead, and with them
// what lies beyond the row.
inline constexpr bool kMasksTouchAll = kRowLanes == 4;

// The first `count` elements, `filler` in the other lanes. Nothing beyond them is touched.
HWY_INLINE RowVector load_lanes(const float* from, int64_t count, float filler = 0) {
  const RowTag d;
  if (count == kRowLanes) return hn::LoadU(d, from);
  if constexpr (kMasksTouchAll) {
    HWY_ALIGN float lanes[kRowLanes];
    std::fill(std::copy_n(from, count, lanes), lanes + kRowLanes, filler);
    return hn::Load(d, lanes);
  }
  const auto there = hn::FirstN(d, static_cast<size_t>(count));
  return hn::IfThenElse(there, hn::MaskedLoad(there, d, from), hn::Set(d, filler));
}

HWY_INLINE void store_lanes(RowVector values, float* to, int64_t count) {
  const RowTag d;
  if (count == kRowLanes) return hn::StoreU(values, d, to);
  if constexpr (kMasksTouchAll) {
    HWY_ALIGN float lanes[kRowLanes];
    hn::Store(values, d, lanes);
    std::copy_n(lanes, count, to);
    return;
  }
  hn::BlendedStore(values, hn::FirstN(d, static_cast<size_t>(count)), d, to);
}

// Calls step(vector, position, count) for whole vectors, then once for what is left, where lanes
// from `count` on hold `filler`.
template <class Step>
HWY_INLINE void for_each_vector(const float* from, int64_t size, float filler, Step&& step) {
  int64_t i = 0;
  for (; i + kRowLanes <= size; i += kRowLanes) step(hn::LoadU(RowTag(), from + i), i, kRowLanes);
  if (i < size) step(load_lanes(from + i, size - i, filler), i, size - i);
}

}  // namespace plimsoll::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
