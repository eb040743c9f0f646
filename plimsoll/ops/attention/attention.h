// Attention: for each query the mean of the values, weighted by how well their keys agree with it.
#pragma once

#include "plimsoll/graph/operand.h"
#include "plimsoll/ops/random/random.h"

namespace plimsoll {

struct AttentionOptions {
  double scale = 1;     // of the products of queries and keys
  bool causal = false;  // a query sees no key after its own position
  // Zeroes weights with this probability, drawn as dropout draws for a tensor (batch, heads,
  // queries, keys).
  double dropout = 0;
  RandomState random = {};
};

// softmax(query * keyᵀ * scale) * value of each head: query (batch, queries, heads, depth), key
// (batch, keys, heads, depth), value (batch, keys, heads, width) -> (batch, queries, heads, width).
// `mask`, if defined, is a bool tensor whose four axes are those of (batch, heads, queries, keys)
// or 1; it says which pairs count. A query that sees no key weights all keys equally. The weights
// are never in memory as a whole: the gradient computes them again.
Tensor attention(const Operand& query, const Operand& key, const Operand& value,
                 const Tensor& mask = {}, const AttentionOptions& options = {});

}  // namespace plimsoll
