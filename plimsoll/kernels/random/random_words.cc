#include "plimsoll/kernels/random/random_words.h"

#include <algorithm>
#include <array>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "plimsoll/kernels/random/random_words.cc"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace plimsoll::kernels::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

#if HWY_TARGET == HWY_SCALAR

void draw(const Draw& from, uint32_t row, const uint32_t* quads, int64_t count, uint32_t* words) {
  for (int64_t i = 0; i < count; ++i) {
    const std::array<uint32_t, 4> four = from.words(row, quads[i]);
    std::copy(four.begin(), four.end(), words + 4 * i);
  }
}

#else

namespace {

using Word = hn::ScalableTag<uint32_t>;
using Long = hn::ScalableTag<uint64_t>;
using Longs = hn::Vec<Long>;

// One round of Philox on counters in the low halves of 64-bit lanes; the high halves hold leftover
// bits, because the products read only the low ones.
struct Counters {
  Longs c0, c1, c2, c3;

  HWY_INLINE void advance(Longs key0, Longs key1) {
    const Word d;
    const Longs p0 = hn::MulEven(hn::BitCast(d, c0), hn::Set(d, 0xD2511F53));
    const Longs p1 = hn::MulEven(hn::BitCast(d, c2), hn::Set(d, 0xCD9E8D57));
    c0 = hn::Xor(hn::Xor(hn::ShiftRight<32>(p1), c1), key0);
    c1 = p1;
    c2 = hn::Xor(hn::Xor(hn::ShiftRight<32>(p0), c3), key1);
    c3 = p0;
  }
};

HWY_INLINE hn::Vec<Word> interleave(Longs even, Longs odd) {
  const Word d;
  return hn::OddEven(hn::BitCast(d, hn::ShiftLeft<32>(odd)), hn::BitCast(d, even));
}

}  // namespace

void draw(const Draw& from, uint32_t row, const uint32_t* quads, int64_t count, uint32_t* words) {
  constexpr int kRounds = 10;
  const Word d;
  const Long wide;
  Longs keys[kRounds][2];
  for (uint32_t round = 0; round < kRounds; ++round) {
    keys[round][0] = hn::Set(wide, from.key[0] + round * 0x9E3779B9);
    keys[round][1] = hn::Set(wide, from.key[1] + round * 0xBB67AE85);
  }
  const Longs sample = hn::Set(wide, from.first_sample + row);
  const Longs low = hn::Set(wide, from.step[0]), high = hn::Set(wide, from.step[1]);
  for (int64_t i = 0; i < count; i += static_cast<int64_t>(hn::Lanes(d))) {
    const Longs pairs = hn::BitCast(wide, hn::LoadU(d, quads + i));
    Counters even = {pairs, sample, low, high};
    Counters odd = {hn::ShiftRight<32>(pairs), sample, low, high};
    for (const auto& key : keys) {
      even.advance(key[0], key[1]);
      odd.advance(key[0], key[1]);
    }
    hn::StoreInterleaved4(interleave(even.c0, odd.c0), interleave(even.c1, odd.c1),
                          interleave(even.c2, odd.c2), interleave(even.c3, odd.c3), d,
                          words + 4 * i);
  }
}

#endif

void keep(const uint32_t* words, uint32_t threshold, float scale, int64_t count, const float* x,
          float* y) {
  const hn::ScalableTag<float> d;
  const hn::ScalableTag<int32_t> di;
  // Vectors compare signed numbers; flipping the sign bit keeps the order.
  const auto sign = hn::Set(di, INT32_MIN);
  const auto limit = hn::Xor(hn::Set(di, static_cast<int32_t>(threshold)), sign);
  const auto factor = hn::Set(d, scale);
  constexpr int64_t kLanes = static_cast<int64_t>(hn::MaxLanes(d));
  int64_t i = 0;
  for (; i + kLanes <= count; i += kLanes) {
    const auto bits = hn::LoadU(di, reinterpret_cast<const int32_t*>(words) + i);
    const auto dropped = hn::RebindMask(d, hn::Lt(hn::Xor(bits, sign), limit));
    hn::StoreU(hn::IfThenZeroElse(dropped, hn::Mul(hn::LoadU(d, x + i), factor)), d, y + i);
  }
  for (; i < count; ++i) y[i] = words[i] < threshold ? 0.0f : x[i] * scale;
}

}  // namespace plimsoll::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace plimsoll::kernels {

HWY_EXPORT(draw);
HWY_EXPORT(keep);

void draw_words(const Draw& from, uint32_t row, const uint32_t* quads, int64_t count,
                uint32_t* words) {
  HWY_DYNAMIC_DISPATCH(draw)(from, row, quads, count, words);
}

void keep_at_random(const uint32_t* words, uint32_t threshold, float scale, int64_t count,
                    const float* x, float* y) {
  HWY_DYNAMIC_DISPATCH(keep)(words, threshold, scale, count, x, y);
}

}  // namespace plimsoll::kernels
#endif
