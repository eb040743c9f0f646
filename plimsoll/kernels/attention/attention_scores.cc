#include "plimsoll/kernels/attention/attention_scores.h"

#include <algorithm>
#include <limits>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "plimsoll/kernels/attention/attention_scores.cc"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "plimsoll/kernels/attention/softmax_row-inl.h"

HWY_BEFORE_NAMESPACE();
namespace plimsoll::kernels::HWY_NAMESPACE {

// The score of a pair that does not count: so low that its exponential is 0, yet finite, so that a
// row of nothing else has equal probabilities.
constexpr float kMasked = std::numeric_limits<float>::lowest() * 0.7f;

// Scales the row and lowers the scores that do not count; returns the largest score.
HWY_INLINE float prepare_row(const ScoreBlock& block, int64_t row, float* x) {
  const RowTag d;
  const uint8_t* mask = block.mask == nullptr ? nullptr : block.mask + row * block.mask_row;
  if (mask != nullptr && !block.mask_keys) {
    if (*mask == 0) {
      std::fill_n(x, block.keys, kMasked);
      return kMasked;
    }
    mask = nullptr;
  }
  const int64_t seen =
      block.causal ? std::min(block.keys, block.first_query + row + 1) : block.keys;
  const RowVector scale = hn::Set(d, block.scale), masked = hn::Set(d, kMasked);
  RowVector largest = masked;
  const hn::Rebind<uint8_t, RowTag> bytes;
  const hn::RebindToUnsigned<RowTag> words;
  for_each_vector(x, seen, kMasked, [&](RowVector v, int64_t at, int64_t count) {
    v = hn::Mul(v, scale);
    if (mask != nullptr) {
      HWY_ALIGN uint8_t near[HWY_LANES(float)] = {};
      const uint8_t* from = mask + at;
      if (count < kRowLanes) {
        std::copy_n(from, count, near);
        from = near;
      }
      const auto counts = hn::Ne(hn::PromoteTo(words, hn::LoadU(bytes, from)), hn::Zero(words));
      v = hn::IfThenElse(hn::RebindMask(d, counts), v, masked);
    }
    store_lanes(v, x + at, count);
    if (count < kRowLanes) v = hn::IfThenElse(hn::FirstN(d, static_cast<size_t>(count)), v, masked);
    largest = hn::Max(largest, v);
  });
  std::fill(x + seen, x + block.keys, kMasked);
  return hn::GetLane(hn::MaxOfLanes(d, largest));
}

void softmax_block(const ScoreBlock& block, float* scores) {
  const RowTag d;
  for (int64_t row = 0; row < block.rows; ++row) {
    float* x = scores + row * block.stride;
    const float largest = prepare_row(block, row, x);
    const float sum = row_exponentials(
        x, block.keys, largest,
        [&](RowVector v, int64_t at, int64_t count) { store_lanes(v, x + at, count); });
    const RowVector scale = hn::Set(d, 1 / sum);
    for_each_vector(x, block.keys, 0, [&](RowVector v, int64_t at, int64_t count) {
      store_lanes(hn::Mul(v, scale), x + at, count);
    });
  }
}

// True if the query sees any key. If not, its weights do not depend on its scores.
HWY_INLINE bool sees_any(const ScoreBlock& block, int64_t row) {
  if (block.mask == nullptr) return true;
  const uint8_t* mask = block.mask + row * block.mask_row;
  if (!block.mask_keys) return *mask != 0;
  const int64_t seen =
      block.causal ? std::min(block.keys, block.first_query + row + 1) : block.keys;
  return std::any_of(mask, mask + seen, [](uint8_t counts) { return counts != 0; });
}

// g = p * (g - sum(p * g)) * scale
void softmax_gradient_block(const ScoreBlock& block, const float* probabilities, float* gradients) {
  const RowTag d;
  const RowVector scale = hn::Set(d, block.scale);
  for (int64_t row = 0; row < block.rows; ++row) {
    const float* p = probabilities + row * block.stride;
    float* g = gradients + row * block.stride;
    if (!sees_any(block, row)) {
      std::fill_n(g, block.keys, 0.0f);
      continue;
    }
    RowVector products = hn::Zero(d);
    for_each_vector(g, block.keys, 0, [&](RowVector v, int64_t at, int64_t count) {
      products = hn::MulAdd(v, load_lanes(p + at, count), products);
    });
    const RowVector dot = hn::SumOfLanes(d, products);
    for_each_vector(g, block.keys, 0, [&](RowVector v, int64_t at, int64_t count) {
      const RowVector weight = hn::Mul(load_lanes(p + at, count), scale);
      store_lanes(hn::Mul(weight, hn::Sub(v, dot)), g + at, count);
    });
  }
}

}  // namespace plimsoll::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace plimsoll::kernels {

HWY_EXPORT(softmax_block);
HWY_EXPORT(softmax_gradient_block);

void softmax_scores(const ScoreBlock& block, float* scores) {
  HWY_DYNAMIC_DISPATCH(softmax_block)(block, scores);
}

void softmax_scores_gradient(const ScoreBlock& block, const float* probabilities,
                             float* gradients) {
  HWY_DYNAMIC_DISPATCH(softmax_gradient_block)(block, probabilities, gradients);
}

void ScoreDropout::run(const ScoreBlock& block, uint32_t sample, int64_t first, const float* from,
                       float* to) const {
  uint32_t quads[kDrawQuads] = {}, words[4 * kDrawQuads];
  constexpr int64_t kMost = 4 * kDrawQuads - 4;  // the first of a chunk may be inside a quad
  for (int64_t row = 0; row < block.rows; ++row)
    for (int64_t at = 0; at < block.keys; at += kMost) {
      const int64_t count = std::min(kMost, block.keys - at);
      const int64_t element = first + row * all_keys + at, skipped = element % 4;
      const int64_t quad_count = (skipped + count + 3) / 4;
      for (int64_t i = 0; i < quad_count; ++i) quads[i] = static_cast<uint32_t>(element / 4 + i);
      draw_words(draw, sample, quads, quad_count, words);
      keep_at_random(words + skipped, threshold, scale, count, from + row * block.stride + at,
                     to + row * block.stride + at);
    }
}

}  // namespace plimsoll::kernels
#endif
