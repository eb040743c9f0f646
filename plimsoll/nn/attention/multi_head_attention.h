// MultiHeadAttention: each place of the query gathers from the places of the value what their keys
// promise, in several heads at once.
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
  bool use_gate = false;                   // a sigmoid of the query scales what a head says
  std::vector<int64_t> output_shape = {};  // empty: the query's features
  std::vector<int> attention_axes = {};    // empty: all between batch and features; nothing else
  std::optional<int64_t> sliding_window =
      {};  // places that are farther apart do not see each other
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

// Called with {query, value} or {query, value, key}; masks that come with them, attention_mask and
// use_causal_mask of the call say who sees whom. With return_attention_scores the second output is
// the weights (batch, heads, query places, value places), which else never stand in memory.
struct MultiHeadAttention : Layer {
  explicit MultiHeadAttention(const MultiHeadAttentionOptions& options = {});
};

}  // namespace plimsoll
