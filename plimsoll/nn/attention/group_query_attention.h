// GroupQueryAttention: attention by heads, of which several share one key and one value.
#pragma once

#include <optional>

#include "plimsoll/nn/layers/layer.h"

namespace plimsoll {

struct GroupQueryAttentionOptions {
  int64_t head_dim = 0;  // features of a head
  int64_t num_query_heads = 0;
  int64_t num_key_value_heads = 0;  // divides num_query_heads
  double dropout = 0;               // of the weights of places
  bool use_bias = true;
  bool use_gate = false;  // a sigmoid of the query scales the output of a head
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

void describe(Fields& fields, GroupQueryAttentionOptions& options);

// Called with {query, value} or {query, value, key}, each (batch, places, features). Masks and the
// options of the call mean the same as for MultiHeadAttention.
struct GroupedQueryAttention : Layer {
  explicit GroupedQueryAttention(const GroupQueryAttentionOptions& options = {});
};
using GroupQueryAttention = GroupedQueryAttention;

}  // namespace plimsoll
