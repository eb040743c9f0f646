// Attention without projections: Luong's (products) and Bahdanau's (sums).
#pragma once

#include <optional>
#include <string>

#include "plimsoll/nn/layers/layer.h"

namespace plimsoll {

struct AttentionLayerOptions {
  bool use_scale = false;          // a weight scales the scores
  std::string score_mode = "dot";  // or "concat"
  double dropout = 0;              // of the weights of places
  std::optional<int64_t> seed = {};
  std::string name = {};
  bool trainable = true;
};

void describe(Fields& fields, AttentionLayerOptions& options);

// Called with a list {query, value} or {query, value, key}; masks that come with query and value
// and use_causal_mask of the call say what counts.
struct Attention : Layer {
  explicit Attention(const AttentionLayerOptions& options = {});
};

struct AdditiveAttentionOptions {
  bool use_scale = true;  // a weight for each feature
  double dropout = 0;
  std::optional<int64_t> seed = {};
  std::string name = {};
  bool trainable = true;
};

void describe(Fields& fields, AdditiveAttentionOptions& options);

struct AdditiveAttention : Layer {
  explicit AdditiveAttention(const AdditiveAttentionOptions& options = {});
};

}  // namespace plimsoll
