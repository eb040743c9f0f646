// Attention: what each query makes of the values, weighed by how it agrees with their keys.
#pragma once

#include "plimsoll/graph/operand.h"
#include "plimsoll/ops/random/random.h"

namespace plimsoll {

struct AttentionOptions {
  double scale = 1;     // of the products of queries and keys
  bool causal = false;  // a query sees no key behind its own place
  // Zeroes weights with this probability, drawn as dropout draws for a tensor (batch, heads,
  // queries, keys).
  double dropout = 0;
  RandomState random = {};
};

// softmax(query * keyᵀ * scale) * value of each head: query (batch, queries, heads, depth), key
// (batch, keys, heads, depth), value (batch, keys, heads, width) -> (batch, queries, heads, width).
// `mask`, if defined, is a bool tensor whose four axes are those of (batch, heads, queries, keys)
// or 1: which pairs count. A query without any weighs all keys alike. The weights never stand in
// memory at once: the gradient computes them again.
Tensor attention(const Operand& query, const Operand& key, const Operand& value,
                 const Tensor& mask = {}, const AttentionOptions& options = {});

}  // namespace plimsoll
