#include "plimsoll/nn/attention/attention_masks.h"

#include <numeric>
#include <vector>

#include "plimsoll/ops/elementwise/elementwise.h"
#include "plimsoll/ops/movement/movement.h"

namespace plimsoll {
namespace {

// 0, 1, 2, … as a column or a row.
Tensor places(int64_t count, const Shape& shape) {
  std::vector<int32_t> numbers(static_cast<size_t>(count));
  std::iota(numbers.begin(), numbers.end(), 0);
  return constant(numbers, shape);
}

}  // namespace

Tensor as_mask(const Tensor& mask) {
  return mask.dtype() == DType::boolean ? mask : cast(mask, DType::boolean);
}

Tensor both_masks(const Tensor& a, const Tensor& b) {
  if (!a.defined()) return b;
  return b.defined() ? logical_and(a, b) : a;
}

Tensor causal_mask(int64_t queries, int64_t keys) {
  return greater_equal(places(queries, {1, queries, 1}), places(keys, {1, 1, keys}));
}

Tensor window_mask(int64_t queries, int64_t keys, int64_t window) {
  return less(abs(places(queries, {1, queries, 1}) - places(keys, {1, 1, keys})), window);
}

Tensor mask_of_queries(const Tensor& mask) {
  return mask.defined() ? expand_dims(as_mask(mask), 2) : Tensor();
}

Tensor mask_of_keys(const Tensor& mask) {
  return mask.defined() ? expand_dims(as_mask(mask), 1) : Tensor();
}

Tensor with_heads(Tensor mask) {
  while (mask.rank() < 4) mask = expand_dims(mask, mask.rank() - 2);
  return mask;
}

}  // namespace plimsoll
