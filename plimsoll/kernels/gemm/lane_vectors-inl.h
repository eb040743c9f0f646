// Channels that lie side by side, as vectors of the processor.
#if defined(PLIMSOLL_KERNELS_LANE_VECTORS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef PLIMSOLL_KERNELS_LANE_VECTORS_INL_H_
#undef PLIMSOLL_KERNELS_LANE_VECTORS_INL_H_
#else
#define PLIMSOLL_KERNELS_LANE_VECTORS_INL_H_
#endif

#include <hwy/highway.h>

#include <cstdint>

HWY_BEFORE_NAMESPACE();
namespace plimsoll::kernels::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// Blocks of channels hold 8 or 16: wider vectors would not fill.
using Lanes8 = hn::CappedTag<float, 8>;

// Calls body(tag, lane) for vectors that together cover `lanes` lanes.
template <class Body>
HWY_INLINE void for_each_vector(int64_t lanes, const Body& body) {
  const Lanes8 d8;
  const hn::CappedTag<float, 4> d4;
  const hn::CappedTag<float, 1> d1;
  const int64_t n8 = static_cast<int64_t>(hn::Lanes(d8)), n4 = static_cast<int64_t>(hn::Lanes(d4));
  int64_t lane = 0;
  for (; lane + n8 <= lanes; lane += n8) body(d8, lane);
  for (; lane + n4 <= lanes; lane += n4) body(d4, lane);
  for (; lane < lanes; ++lane) body(d1, lane);
}

}  // namespace plimsoll::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
