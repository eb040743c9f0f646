#include "plimsoll/nn/attention/attend.h"

#include "plimsoll/nn/attention/attention_masks.h"
#include "plimsoll/ops/elementwise/elementwise.h"
#include "plimsoll/ops/linear/linear.h"
#include "plimsoll/ops/movement/movement.h"
#include "plimsoll/ops/reduction/reduction.h"

namespace plimsoll {
namespace {

// What Keras takes for the scores of pairs that do not count, if it computes scores.
constexpr double kMaskedScore = -1e9;

// Swaps the axes of heads and queries.
Tensor heads_first(const Tensor& x) {
  return transpose(x, {0, 2, 1, 3});
}

}  // namespace

Tensors attend(const Tensor& q, const Tensor& k, const Tensor& v, const Tensor& mask,
               const AttentionOptions& options, const AttendAs& as) {
  Tensor seen = mask;
  if (options.causal) seen = both_masks(seen, with_heads(causal_mask(q.shape()[1], k.shape()[1])));
  if (!as.returns_scores) {
    const Tensor y = attention(q, k, v, mask, options);
    if (!as.zeroes_unseen || !seen.defined()) return {y};
    return {y * heads_first(max(cast(seen, DType::float32), {3}, true))};
  }
  Tensor scores = matmul(heads_first(q) * options.scale, heads_first(k), {.transpose_b = true});
  if (seen.defined()) scores = select(seen, scores, kMaskedScore);
  Tensor weights = softmax(scores);
  if (seen.defined()) weights = select(seen, weights, 0.0);
  const Tensor kept =
      options.dropout > 0 ? dropout(weights, options.dropout, options.random) : weights;
  return {heads_first(matmul(kept, heads_first(v))), weights};
}

}  // namespace plimsoll
