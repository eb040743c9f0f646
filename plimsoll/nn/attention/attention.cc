#include "plimsoll/nn/attention/attention.h"

#include <fmt/format.h>

#include "plimsoll/nn/attention/attention_masks.h"
#include "plimsoll/nn/keras/fields.h"
#include "plimsoll/nn/layer_seed.h"
#include "plimsoll/nn/layers/make_layer.h"
#include "plimsoll/ops/attention/attention.h"
#include "plimsoll/ops/elementwise/elementwise.h"
#include "plimsoll/ops/linear/linear.h"
#include "plimsoll/ops/movement/movement.h"
#include "plimsoll/ops/reduction/reduction.h"

namespace plimsoll {
namespace {

// What both kinds share: everything except the computation of scores.
template <class Options>
class AttentionBase : public LayerOf<Options> {
 public:
  explicit AttentionBase(const Options& options) : LayerOf<Options>(options), seed_(options.seed) {}

  int input_count() const override { return 0; }
  bool supports_masking() const override { return true; }
  Tensors output_masks(const Tensors&, const Tensors& outputs,
                       const Tensors& masks) const override {
    Tensors passed(outputs.size());
    passed[0] = masks[0];
    return passed;
  }

  Tensors call(const Tensors& inputs, const CallContext& context) override {
    const Tensor q = as_float(inputs[0]), v = as_float(inputs[1]);
    const Tensor k = inputs.size() > 2 ? as_float(inputs[2]) : v;
    Tensors found = attend(q, k, v, mask_of_keys(inputs[1].mask()), context);
    if (context.mask.defined()) found[0] = select(mask_of_queries(context.mask), found[0], 0);
    return found;
  }

 protected:
  // (batch, queries, keys)
  virtual Tensor scores(const Tensor& q, const Tensor& k) const = 0;
  // The scaled query if the scores are its products with the keys; else undefined.
  virtual Tensor factor(const Tensor&) const { return {}; }

  void check(const Specs& inputs) const override {
    if (inputs.size() < 2 || inputs.size() > 3)
      this->refuse(fmt::format(
          "expected {{query, value}} or {{query, value, key}}, found {} tensors", inputs.size()));
    const Shape &q = inputs[0].shape, &v = inputs[1].shape, &k = inputs.back().shape;
    for (const Shape* shape : {&q, &v, &k})
      if (shape->rank() != 3)
        this->refuse("expected inputs of shape (batch, places, features), found " +
                     shape->to_string());
    if (v[0] != q[0] || k[0] != q[0] || v[1] != k[1] || k[2] != q[2])
      this->refuse("query " + q.to_string() + ", value " + v.to_string() + " and key " +
                   k.to_string() +
                   " must agree in the batch, query and key in features, value and key in places");
  }

 private:
  RandomState draw() const { return seed_.draw(); }

  Tensors attend(const Tensor& q, const Tensor& k, const Tensor& v, const Tensor& mask,
                 const CallContext& context) const {
    const bool drops = context.is_training && this->options_.dropout > 0;
    const Tensor scaled = factor(q);
    if (scaled.defined() && !context.return_attention_scores) {
      AttentionOptions options{.causal = context.use_causal_mask};
      if (drops) options.dropout = this->options_.dropout, options.random = draw();
      const auto one_head = [](const Tensor& x) { return expand_dims(x, 2); };
      const Tensor y = attention(one_head(scaled), one_head(k), one_head(v),
                                 mask.defined() ? with_heads(mask) : Tensor(), options);
      return {squeeze(y, 2)};
    }
    Tensor made = scores(q, k);
    Tensor seen = mask;
    if (context.use_causal_mask) seen = both_masks(seen, causal_mask(q.shape()[1], k.shape()[1]));
    if (seen.defined()) made = made + cast(logical_not(seen), DType::float32) * -1e9;
    const Tensor weights = softmax(made);
    const Tensor y = matmul(drops ? dropout(weights, this->options_.dropout, draw()) : weights, v);
    if (!context.return_attention_scores) return {y};
    return {y, weights};
  }

  LayerSeed seed_;
};

// sum(weight * tanh(scale * (q + k))) of every pair.
Tensor sums_of_pairs(const Tensor& q, const Tensor& k) {
  return expand_dims(q, 2) + expand_dims(k, 1);
}

class AttentionBody final : public AttentionBase<AttentionLayerOptions> {
 public:
  using AttentionBase::AttentionBase;
  void validate() const {
    if (options_.score_mode != "dot" && options_.score_mode != "concat")
      refuse("score_mode '" + options_.score_mode + "' is not known (known: dot, concat)");
  }
  std::string_view class_name() const override { return "Attention"; }

  void build(const Specs&) override {
    if (options_.use_scale)
      scale_ = add_weight({.name = "scale", .shape = {}, .initializer = "ones"});
    if (options_.score_mode == "concat")
      weight_ = add_weight({.name = "concat_score_weight", .shape = {}, .initializer = "ones"});
  }

 protected:
  Tensor factor(const Tensor& q) const override {
    if (options_.score_mode != "dot") return {};
    return scale_.defined() ? q * scale_ : q;
  }
  Tensor scores(const Tensor& q, const Tensor& k) const override {
    if (options_.score_mode == "dot") return matmul(factor(q), k, {.transpose_b = true});
    const Tensor pairs = sums_of_pairs(q, k);
    return sum(tanh(scale_.defined() ? pairs * scale_ : pairs), {-1}) * weight_;
  }

 private:
  Variable scale_, weight_;
};

class AdditiveAttentionBody final : public AttentionBase<AdditiveAttentionOptions> {
 public:
  using AttentionBase::AttentionBase;
  std::string_view class_name() const override { return "AdditiveAttention"; }

  void build(const Specs& inputs) override {
    if (options_.use_scale)
      scale_ = add_weight(
          {.name = "scale", .shape = {inputs[0].shape.back()}, .initializer = "glorot_uniform"});
  }

 protected:
  Tensor scores(const Tensor& q, const Tensor& k) const override {
    const Tensor pairs = tanh(sums_of_pairs(q, k));
    return sum(scale_.defined() ? pairs * scale_ : pairs, {-1});
  }

 private:
  Variable scale_;
};

}  // namespace

void describe(Fields& fields, AttentionLayerOptions& options) {
  fields.with("use_scale", options.use_scale)
      .with("score_mode", options.score_mode)
      .with("dropout", options.dropout)
      .with("seed", options.seed);
}

void describe(Fields& fields, AdditiveAttentionOptions& options) {
  fields.with("use_scale", options.use_scale)
      .with("dropout", options.dropout)
      .with("seed", options.seed);
  if (fields.reading()) fields.only("score_mode", "dot");
}

Attention::Attention(const AttentionLayerOptions& options)
    : Layer(make_layer<AttentionBody>(options)) {}

AdditiveAttention::AdditiveAttention(const AdditiveAttentionOptions& options)
    : Layer(make_layer<AdditiveAttentionBody>(options)) {}

}  // namespace plimsoll
