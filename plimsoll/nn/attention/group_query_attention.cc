#include "plimsoll/nn/attention/group_query_attention.h"

#include <fmt/format.h>

#include "plimsoll/nn/attention/headed_attention.h"
#include "plimsoll/ops/elementwise/elementwise.h"
#include "plimsoll/ops/movement/movement.h"

namespace plimsoll {
namespace {

class GroupQueryAttentionBody final : public HeadedAttention<GroupQueryAttentionOptions> {
 public:
  explicit GroupQueryAttentionBody(const GroupQueryAttentionOptions& options)
      : HeadedAttention(options, "_") {}

  void validate() const {
    check_positive("head_dim", options_.head_dim);
    check_positive("num_query_heads", options_.num_query_heads);
    check_positive("num_key_value_heads", options_.num_key_value_heads);
    if (options_.num_query_heads % options_.num_key_value_heads != 0)
      refuse(fmt::format("num_key_value_heads must divide num_query_heads, found {} and {}",
                         options_.num_key_value_heads, options_.num_query_heads));
    check_window_and_dropout();
  }
  std::string_view class_name() const override { return "GroupedQueryAttention"; }

  void build(const Specs& inputs) override {
    const int64_t heads = options_.num_query_heads, shared = options_.num_key_value_heads;
    query_ = projection("query", heads, "");
    key_ = projection("key", shared, "");
    if (options_.use_gate) gate_ = projection("gate", heads, "sigmoid");
    value_ = projection("value", shared, "");
    EinsumDenseOptions output = common("attention_output");
    output.equation = "bquh,uhm->bqm";
    output.output_shape = {-1, inputs[0].shape.back()};
    if (options_.use_bias) output.bias_axes = "m";
    output_ = EinsumDense(output);
  }

  Tensors call(const Tensors& inputs, const CallContext& context) override {
    const Tensor query = as_float(inputs[0]), value = as_float(inputs[1]);
    const Tensor key = inputs.size() > 2 ? as_float(inputs[2]) : value;
    const Tensors parts =
        attend(query_(query), shared(key_(key)), shared(value_(value)), mask_of(inputs, context),
               attention_options(context, options_.head_dim),
               {context.return_attention_scores, options_.dropout > 0});
    const Tensor y = output_(options_.use_gate ? parts[0] * gate_(query) : parts[0]);
    if (!context.return_attention_scores) return {y};
    return {y, parts[1]};
  }

 protected:
  void check(const Specs& inputs) const override {
    check_count(inputs);
    const Shape &query = inputs[0].shape, &value = inputs[1].shape, &key = inputs.back().shape;
    if (query.rank() != 3 || value.rank() != 3 || key.rank() != 3 || value[1] != key[1] ||
        value[0] != key[0] || value[0] != query[0])
      refuse(
          "expected a query (batch, places, features), and a value and a key of as many places, "
          "found " +
          query.to_string() + ", " + value.to_string() + " and " + key.to_string());
  }

 private:
  // (batch, places, features) -> (batch, places, heads, features of a head)
  Layer projection(const char* name, int64_t heads, const char* function) const {
    EinsumDenseOptions options = common(name);
    options.equation = "bqm,muh->bquh";
    options.output_shape = {-1, heads, options_.head_dim};
    if (options_.use_bias) options.bias_axes = "uh";
    options.activation = function;
    return EinsumDense(options);
  }

  // Each head repeated for the queries that share it.
  Tensor shared(const Tensor& x) const {
    const int64_t repeats = options_.num_query_heads / options_.num_key_value_heads;
    if (repeats == 1) return x;
    const Shape& shape = x.shape();
    const Shape repeated{shape[0], shape[1], shape[2], repeats, shape[3]};
    return reshape(broadcast_to(expand_dims(x, 3), repeated),
                   {-1, shape[1], shape[2] * repeats, shape[3]});
  }

  // With the axes of (batch, heads, queries, keys); undefined if every pair counts.
  Tensor mask_of(const Tensors& inputs, const CallContext& context) const {
    Tensor mask = mask_of_pairs(inputs, context);
    if (context.attention_mask.defined()) {
      const Tensor given = as_mask(context.attention_mask);
      if (given.rank() < 2 || given.rank() > 3)
        refuse("attention_mask must be (batch, queries, keys), found " + given.shape().to_string());
      mask = both_masks(given, mask);
    }
    return mask.defined() ? with_heads(mask) : mask;
  }
};

}  // namespace

void describe(Fields& fields, GroupQueryAttentionOptions& options) {
  fields.with("head_dim", options.head_dim)
      .with("num_query_heads", options.num_query_heads)
      .with("num_key_value_heads", options.num_key_value_heads)
      .with("use_bias", options.use_bias)
      .with("use_gate", options.use_gate)
      .with("sliding_window", options.sliding_window)
      .with("dropout", options.dropout);
  describe_weights(fields, options);
}

GroupedQueryAttention::GroupedQueryAttention(const GroupQueryAttentionOptions& options)
    : Layer(make_layer<GroupQueryAttentionBody>(options)) {}

}  // namespace plimsoll
