// Attention, embedding, normalisation of each sample, products by einsum, and AlphaDropout.
#include "plimsoll/nn/attention/attention.h"
#include "plimsoll/nn/attention/einsum_dense.h"
#include "plimsoll/nn/attention/group_query_attention.h"
#include "plimsoll/nn/attention/multi_head_attention.h"
#include "plimsoll/nn/layers/alpha_dropout.h"
#include "plimsoll/nn/layers/dense.h"
#include "plimsoll/nn/layers/embedding.h"
#include "plimsoll/nn/layers/layer_normalization.h"
#include "plimsoll/nn/layers/layer_rows.h"
#include "plimsoll/nn/layers/spectral_normalization.h"

namespace plimsoll {
namespace {

Layer alpha_dropout_example() {
  return AlphaDropout({.rate = 0.2});
}
Layer attention_example() {
  return Attention({.use_scale = true, .dropout = 0.2});
}
Layer einsum_dense_example() {
  return EinsumDense({.equation = "abc,cde->abde",
                      .output_shape = {-1, 2, 3},
                      .activation = "tanh",
                      .bias_axes = "de"});
}
Layer embedding_example() {
  return Embedding({.input_dim = 4, .output_dim = 3, .mask_zero = true});
}
Layer group_query_attention_example() {
  return GroupedQueryAttention({.head_dim = 3,
                                .num_query_heads = 4,
                                .num_key_value_heads = 2,
                                .dropout = 0.2,
                                .use_gate = true});
}
Layer multi_head_attention_example() {
  return MultiHeadAttention({.num_heads = 2, .key_dim = 3, .value_dim = 4, .dropout = 0.2});
}

Layer spectral_normalization_example() {
  return SpectralNormalization({.layer = Dense({.units = 4, .name = "dense"})});
}

}  // namespace

LayerRows attention_layer_rows() {
  const std::vector<Shape> steps = {{2, 5, 3}}, pair = {{2, 5, 3}, {2, 4, 3}};
  return {
      {"AdditiveAttention",
       from_config<AdditiveAttention, AdditiveAttentionOptions>,
       with_defaults<AdditiveAttention>,
       pair,
       {"scale"}},
      {"AlphaDropout",
       from_config<AlphaDropout, AlphaDropoutOptions>,
       alpha_dropout_example,
       steps,
       {}},
      {"Attention",
       from_config<Attention, AttentionLayerOptions>,
       attention_example,
       pair,
       {"scale"}},
      {"EinsumDense",
       from_config<EinsumDense, EinsumDenseOptions>,
       einsum_dense_example,
       steps,
       {"kernel", "bias"}},
      {"Embedding",
       from_config<Embedding, EmbeddingOptions>,
       embedding_example,
       {{3, 5}},
       {"embeddings"},
       DType::int32},
      {"GroupedQueryAttention",
       from_config<GroupedQueryAttention, GroupQueryAttentionOptions>,
       group_query_attention_example,
       pair,
       {"query/kernel", "query/bias", "key/kernel", "key/bias", "gate/kernel", "gate/bias",
        "value/kernel", "value/bias", "attention_output/kernel", "attention_output/bias"},
       DType::float32,
       "GroupQueryAttention"},
      {"LayerNormalization",
       from_config<LayerNormalization, LayerNormalizationOptions>,
       with_defaults<LayerNormalization>,
       steps,
       {"gamma", "beta"}},
      {"MultiHeadAttention",
       from_config<MultiHeadAttention, MultiHeadAttentionOptions>,
       multi_head_attention_example,
       pair,
       {"query/kernel", "query/bias", "key/kernel", "key/bias", "value/kernel", "value/bias",
        "attention_output/kernel", "attention_output/bias"}},
      {"RMSNormalization",
       from_config<RMSNormalization, RMSNormalizationOptions>,
       with_defaults<RMSNormalization>,
       steps,
       {"scale"}},
      {"SpectralNormalization",
       from_config<SpectralNormalization, SpectralNormalizationOptions>,
       spectral_normalization_example,
       steps,
       {"dense/kernel", "vector_u", "dense/bias"}},
      {"UnitNormalization",
       from_config<UnitNormalization, UnitNormalizationOptions>,
       with_defaults<UnitNormalization>,
       steps,
       {}},
  };
}

}  // namespace plimsoll
