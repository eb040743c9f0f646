#include "plimsoll/kernels/random_words.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "plimsoll/kernels/random_words.cc"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace plimsoll::kernels::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;
using Word = hn::ScalableTag<uint32_t>;
using Words = hn::Vec<Word>;
constexpr int64_t kLanes = static_cast<int64_t>(hn::MaxLanes(Word()));

struct Product {
  Words low, high;
};

HWY_INLINE Product multiply(Words a, uint32_t factor) {
#if HWY_TARGET == HWY_SCALAR
  const uint64_t product = uint64_t{hn::GetLane(a)} * factor;
  const Word d;
  return {hn::Set(d, static_cast<uint32_t>(product)),
          hn::Set(d, static_cast<uint32_t>(product >> 32))};
#else
  const Word d;
  const Words b = hn::Set(d, factor);
  const Words even = hn::BitCast(d, hn::MulEven(a, b));
  const Words odd = hn::BitCast(d, hn::MulEven(hn::DupOdd(a), b));
  return {hn::OddEven(hn::DupEven(odd), even), hn::OddEven(odd, hn::DupOdd(even))};
#endif
}

}  // namespace

void draw(const Draw& from, uint32_t row, const uint32_t* quads, int64_t count, uint32_t* words) {
  const Word d;
  for (int64_t i = 0; i < count; i += kLanes) {
    Words c0 = hn::LoadU(d, quads + i), c1 = hn::Set(d, from.first_sample + row);
    Words c2 = hn::Set(d, from.step[0]), c3 = hn::Set(d, from.step[1]);
    uint32_t key0 = from.key[0], key1 = from.key[1];
    for (int round = 0; round < 10; ++round) {
      const Product p0 = multiply(c0, 0xD2511F53), p1 = multiply(c2, 0xCD9E8D57);
      c0 = hn::Xor(hn::Xor(p1.high, c1), hn::Set(d, key0));
      c1 = p1.low;
      c2 = hn::Xor(hn::Xor(p0.high, c3), hn::Set(d, key1));
      c3 = p0.low;
      key0 += 0x9E3779B9;
      key1 += 0xBB67AE85;
    }
    hn::StoreInterleaved4(c0, c1, c2, c3, d, words + 4 * i);
  }
}

void keep(const uint32_t* words, uint32_t threshold, float scale, int64_t count, const float* x,
          float* y) {
  const hn::ScalableTag<float> d;
  const hn::ScalableTag<int32_t> di;
  // Vectors compare signed numbers; flipping the sign bit keeps the order.
  const auto sign = hn::Set(di, INT32_MIN);
  const auto limit = hn::Xor(hn::Set(di, static_cast<int32_t>(threshold)), sign);
  const auto factor = hn::Set(d, scale);
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
