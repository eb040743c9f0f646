// MultiHeadAttention: for each position of the query, the mean of the values weighted by how well
// their keys agree with the query, in several heads at once.
#pragma once

#include <optional>
#include <vector>

#include "plimsoll/nn/layers/layer.h"

namespace plimsoll {

struct MultiHeadAttentionOptions {
  int64_t num_heads = 0;
  int64_t key_dim = 0;                    // features of a head's queries and keys
  std::optional<int64_t> value_dim = {};  // of its values; unset: key_dim
  double dropout = 0;                     // of the weights of places
  bool use_bias = true;
  bool use_gate = false;                   // a sigmoid of the query scales the output of a head
  std::vector<int64_t> output_shape = {};  // empty: the query's features
  std::vector<int> attention_axes = {};    // empty: all between batch and features; nothing else
  std::optional<int64_t> sliding_window =
      {};  // positions that are farther apart do not see each other
  Initializer kernel_initializer = "glorot_uniform";
  Initializer bias_initializer = "zeros";
  Regularizer kernel_regularizer = {};
  Regularizer bias_regularizer = {};
  Constraint kernel_constraint = {};
  Constraint bias_constraint = {};
  std::optional<int64_t> seed = {};
  std::string name = {};
  bool trainable = true;
};

void describe(Fields& fields, MultiHeadAttentionOptions& options);

// Called with {query, value} or {query, value, key}; masks that come with them, and attention_mask
// and use_causal_mask of the call, say which positions see which. With return_attention_scores the
// second output is the weights (batch, heads, query positions, value positions), which otherwise
// are never in memory as a whole.
struct MultiHeadAttention : Layer {
  explicit MultiHeadAttention(const MultiHeadAttentionOptions& options = {});
};

}  // namespace plimsoll
