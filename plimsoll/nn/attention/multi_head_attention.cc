#include "plimsoll/nn/attention/multi_head_attention.h"

#include <fmt/format.h>

#include "plimsoll/nn/attention/headed_attention.h"
#include "plimsoll/ops/elementwise/elementwise.h"
#include "plimsoll/ops/movement/movement.h"

namespace plimsoll {
namespace {

std::string letters(int first, int count) {
  std::string text;
  for (int i = 0; i < count; ++i) text += static_cast<char>('a' + first + i);
  return text;
}

class MultiHeadAttentionBody final : public HeadedAttention<MultiHeadAttentionOptions> {
 public:
  explicit MultiHeadAttentionBody(const MultiHeadAttentionOptions& options)
      : HeadedAttention(options, "") {
    if (!options_.value_dim) options_.value_dim = options_.key_dim;
  }

  void validate() const {
    check_positive("num_heads", options_.num_heads);
    check_positive("key_dim", options_.key_dim);
    check_positive("value_dim", *options_.value_dim);
    check_window_and_dropout();
  }
  std::string_view class_name() const override { return "MultiHeadAttention"; }
  bool takes_masks_off() const override { return true; }

  void build(const Specs& inputs) override {
    const Shape &query = inputs[0].shape, &value = inputs[1].shape;
    const Shape& key = inputs.back().shape;
    const int64_t heads = options_.num_heads;
    options_.attention_axes = default_axes(query.rank());
    query_ = projection("query", query, {heads, options_.key_dim});
    key_ = projection("key", key, {heads, options_.key_dim});
    if (options_.use_gate)
      gate_ = projection("gate", query, {heads, *options_.value_dim}, "sigmoid");
    value_ = projection("value", value, {heads, *options_.value_dim});
    Shape result(options_.output_shape);
    if (result.rank() == 0) result.push_back(query.back());
    output_ = output_projection(query, result);
  }

  Tensors call(const Tensors& inputs, const CallContext& context) override {
    const Tensor query = as_float(inputs[0]), value = as_float(inputs[1]);
    const Tensor key = inputs.size() > 2 ? as_float(inputs[2]) : value;
    const Tensor q = query_(query), k = key_(key), v = value_(value);
    const Shape places = q.shape();  // (batch, places…, heads, features)
    const Tensors parts = attend(flat(q), flat(k), flat(v), mask_of(inputs, context),
                                 attention_options(context, options_.key_dim),
                                 {context.return_attention_scores, options_.dropout > 0});
    Shape shape = places;
    shape[shape.rank() - 1] = *options_.value_dim;
    Tensor mixed = reshape(parts[0], shape);
    if (options_.use_gate) mixed = mixed * gate_(query);
    const Tensor y = output_(mixed);
    if (!context.return_attention_scores) return {y};
    return {y, unflattened_scores(parts[1], places, k.shape())};
  }

 protected:
  void check(const Specs& inputs) const override {
    check_count(inputs);
    const Shape &query = inputs[0].shape, &value = inputs[1].shape, &key = inputs.back().shape;
    if (query.rank() < 3 || query.rank() > 6 || value.rank() != query.rank() ||
        key.rank() != query.rank())
      refuse("expected query, value and key of one rank, (batch, places, features), found " +
             query.to_string() + ", " + value.to_string() + " and " + key.to_string());
    for (int i = 0; i + 1 < value.rank(); ++i)
      if (value[i] != key[i] || (i == 0 && value[0] != query[0]))
        refuse("value " + value.to_string() + " and key " + key.to_string() +
               " must agree in all but features, and in the batch with the query " +
               query.to_string());
    if (!options_.attention_axes.empty() &&
        axes_from_start(query.rank()) != default_axes(query.rank()))
      refuse(
          "attention_axes must be all axes between batch and features (unset); attention over "
          "some of them only is not supported");
  }

 private:
  static std::vector<int> default_axes(int rank) {
    std::vector<int> axes;
    for (int i = 1; i + 1 < rank; ++i) axes.push_back(i);
    return axes;
  }
  std::vector<int> axes_from_start(int rank) const {
    std::vector<int> axes = options_.attention_axes;
    for (int& axis : axes)
      if (axis < 0) axis += rank;
    return axes;
  }

  // (batch, places…, features) -> (batch, places…, heads, features of a head)
  Layer projection(const char* name, const Shape& input, const Shape& made,
                   const char* function = "") const {
    EinsumDenseOptions options = common(name);
    const int rank = input.rank();
    const std::string rows = letters(0, rank - 1), inner = letters(rank - 1, 1);
    const std::string outer = letters(rank, 2);
    options.equation = rows + inner + "," + inner + outer + "->" + rows + outer;
    for (int i = 0; i + 2 < rank; ++i) options.output_shape.push_back(-1);
    for (const int64_t dim : made) options.output_shape.push_back(dim);
    if (options_.use_bias) options.bias_axes = outer;
    options.activation = function;
    return EinsumDense(options);
  }

  // (batch, places…, heads, features of a head) -> (batch, places…, result…)
  Layer output_projection(const Shape& query, const Shape& result) const {
    EinsumDenseOptions options = common("attention_output");
    const int rank = query.rank();
    const std::string rows = letters(0, rank - 1), inner = letters(rank - 1, 2);
    const std::string outer = letters(rank + 1, result.rank());
    options.equation = rows + inner + "," + inner + outer + "->" + rows + outer;
    for (int i = 0; i + 2 < rank; ++i) options.output_shape.push_back(-1);
    for (const int64_t dim : result) options.output_shape.push_back(dim);
    if (options_.use_bias) options.bias_axes = outer;
    return EinsumDense(options);
  }

  // All places on one axis: (batch, places, heads, features).
  static Tensor flat(const Tensor& x) {
    if (x.rank() == 4) return x;
    const Shape& shape = x.shape();
    return reshape(x, {shape[0], -1, shape[shape.rank() - 2], shape.back()});
  }

  // (batch, heads, places of the query…, places of the key…)
  static Tensor unflattened_scores(const Tensor& scores, const Shape& query, const Shape& key) {
    if (query.rank() == 4) return scores;
    Shape shape{query[0], query[query.rank() - 2]};
    for (const Shape* places : {&query, &key})
      for (int i = 1; i + 2 < places->rank(); ++i) shape.push_back((*places)[i]);
    return reshape(scores, shape);
  }

  // With the axes of (batch, heads, queries, keys); undefined if every pair counts. The causal mask
  // is not in it; the op applies that itself.
  Tensor mask_of(const Tensors& inputs, const CallContext& context) const {
    Tensor mask = mask_of_pairs(inputs, context);
    const Shape& query = inputs[0].shape();
    Tensor given;
    if (context.attention_mask.defined()) given = as_mask(context.attention_mask);
    if (query.rank() > 3 && (mask.defined() || given.defined()))
      refuse("masks are only supported for a query of shape (batch, places, features), found " +
             query.to_string());
    if (given.defined() && (given.rank() < 2 || given.rank() > 4))
      refuse("attention_mask must be (batch, queries, keys), found " + given.shape().to_string());
    if (given.defined() && given.rank() == 4 && mask.defined()) mask = with_heads(mask);
    mask = both_masks(given, mask);
    return mask.defined() ? with_heads(mask) : mask;
  }
};

}  // namespace

void describe(Fields& fields, MultiHeadAttentionOptions& options) {
  fields.with("num_heads", options.num_heads)
      .with("key_dim", options.key_dim)
      .with("value_dim", options.value_dim)
      .with("dropout", options.dropout)
      .with("use_bias", options.use_bias)
      .with("use_gate", options.use_gate);
  if (!fields.reading() && options.output_shape.empty())
    fields.only_null("output_shape");
  else
    fields.with("output_shape", options.output_shape);
  if (!fields.reading() && options.attention_axes.empty())
    fields.only_null("attention_axes");
  else
    fields.with("attention_axes", options.attention_axes);
  fields.with("sliding_window", options.sliding_window);
  describe_weights(fields, options);
}

MultiHeadAttention::MultiHeadAttention(const MultiHeadAttentionOptions& options)
    : Layer(make_layer<MultiHeadAttentionBody>(options)) {}

}  // namespace plimsoll
