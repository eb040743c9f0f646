// One row of logits: its maximum and the sum of its exponentials, in vectors.
#if defined(PLIMSOLL_KERNELS_SOFTMAX_ROW_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef PLIMSOLL_KERNELS_SOFTMAX_ROW_INL_H_
#undef PLIMSOLL_KERNELS_SOFTMAX_ROW_INL_H_
#else
#define PLIMSOLL_KERNELS_SOFTMAX_ROW_INL_H_
#endif

#include <hwy/highway.h>

#include <algorithm>
#include <cstdint>
#include <limits>

#include "plimsoll/kernels/elementwise/vector_math-inl.h"
#include "plimsoll/kernels/row_vectors-inl.h"

HWY_BEFORE_NAMESPACE();
namespace plimsoll::kernels::HWY_NAMESPACE {

// A NaN may be passed over: it comes back through the exponentials.
HWY_INLINE float row_maximum(const float* x, int64_t size) {
  const RowTag d;
  constexpr float kLowest = -std::numeric_limits<float>::infinity();
  RowVector largest = hn::Set(d, kLowest);
  for_each_vector(x, size, kLowest,
                  [&](RowVector v, int64_t, int64_t) { largest = hn::Max(largest, v); });
  return hn::GetLane(hn::MaxOfLanes(d, largest));
}

// sum(exp(x - maximum)), in chunks so that long rows lose nothing; each term also goes to
// store(term, position, count).
template <class Store>
HWY_INLINE float row_exponentials(const float* x, int64_t size, float maximum, Store&& store) {
  constexpr int64_t kChunk = 1024;
  constexpr float kLowest = -std::numeric_limits<float>::infinity();
  const RowTag d;
  const RowVector shift = hn::Set(d, maximum);
  double total = 0;
  for (int64_t start = 0; start < size; start += kChunk) {
    RowVector sum = hn::Zero(d);
    for_each_vector(x + start, std::min(kChunk, size - start), kLowest,
                    [&](RowVector v, int64_t at, int64_t count) {
                      RowVector term = vector_exp(d, hn::Sub(v, shift));
                      // -inf - -inf beyond the end of a row of those would be NaN.
                      if (count < kRowLanes)
                        term = hn::IfThenElseZero(hn::FirstN(d, static_cast<size_t>(count)), term);
                      sum = hn::Add(sum, term);
                      store(term, start + at, count);
                    });
    total += hn::GetLane(hn::SumOfLanes(d, sum));
  }
  return static_cast<float>(total);
}

}  // namespace plimsoll::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
