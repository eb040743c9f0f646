// What layers of attention by heads do after their projections.
#pragma once

#include "plimsoll/ops/attention/attention.h"

namespace plimsoll {

struct AttendAs {
  bool returns_scores = false;  // too; otherwise they are never in memory as a whole
  // A query that sees no key gives 0, not the mean of all values. In Keras it does wherever scores
  // are computed, which is so with dropout, in training or not.
  bool zeroes_unseen = false;
};

// The outputs of the heads, (batch, queries, heads, width), of q, k and v as attention() takes
// them, and the weights (batch, heads, queries, keys) if they are asked for.
Tensors attend(const Tensor& q, const Tensor& k, const Tensor& v, const Tensor& mask,
               const AttentionOptions& options, const AttendAs& as);

}  // namespace plimsoll
