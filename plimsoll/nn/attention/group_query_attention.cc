#include "plimsoll/nn/attention/group_query_attention.h"

#include <fmt/format.h>

#include <cmath>
#include <span>

#include "plimsoll/nn/attention/attend.h"
#include "plimsoll/nn/attention/attention_masks.h"
#include "plimsoll/nn/attention/einsum_dense.h"
#include "plimsoll/nn/clock.h"
#include "plimsoll/nn/keras/fields.h"
#include "plimsoll/nn/layers/make_layer.h"
#include "plimsoll/ops/elementwise/elementwise.h"
#include "plimsoll/ops/movement/movement.h"

namespace plimsoll {
namespace {

class GroupQueryAttentionBody final : public LayerOf<GroupQueryAttentionOptions> {
 public:
  explicit GroupQueryAttentionBody(const GroupQueryAttentionOptions& options) : LayerOf(options) {
    if (!options.seed) return;
    seed_ = Variable("seed", {DType::int64, {}}, false);
    seed_.set_bytes(std::as_bytes(std::span(&*options.seed, 1)));
  }

  void validate() const {
    const auto positive = [&](const char* name, int64_t value) {
      if (value < 1) refuse(fmt::format("{} must be at least 1, found {}", name, value));
    };
    positive("head_dim", options_.head_dim);
    positive("num_query_heads", options_.num_query_heads);
    positive("num_key_value_heads", options_.num_key_value_heads);
    if (options_.num_query_heads % options_.num_key_value_heads != 0)
      refuse(fmt::format("num_key_value_heads must divide num_query_heads, found {} and {}",
                         options_.num_key_value_heads, options_.num_query_heads));
    if (options_.sliding_window) positive("sliding_window", *options_.sliding_window);
    if (!(options_.dropout >= 0 && options_.dropout < 1))
      refuse(fmt::format("dropout must be at least 0 and less than 1, found {}", options_.dropout));
  }
  std::string_view class_name() const override { return "GroupedQueryAttention"; }
  RangeEffect range_effect() const override { return RangeEffect::multiplies(); }
  int input_count() const override { return 0; }
  bool takes_inputs_apart() const override { return true; }
  bool supports_masking() const override { return true; }
  Tensors output_masks(const Tensors&, const Tensors& outputs,
                       const Tensors& masks) const override {
    Tensors passed(outputs.size());
    passed[0] = masks[0];
    return passed;
  }

  std::vector<Child> children() const override {
    std::vector<Child> found;
    const auto add = [&](const char* attribute, const Layer& layer) {
      if (layer.body() != nullptr) found.push_back({attribute, layer.body()});
    };
    add("_query_dense", query_);
    add("_key_dense", key_);
    add("_gate_dense", gate_);
    add("_value_dense", value_);
    add("_output_dense", output_);
    return found;
  }

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
               attention_options(context), {context.return_attention_scores, options_.dropout > 0});
    const Tensor y = output_(options_.use_gate ? parts[0] * gate_(query) : parts[0]);
    if (!context.return_attention_scores) return {y};
    return {y, parts[1]};
  }

 protected:
  void check(const Specs& inputs) const override {
    if (inputs.size() < 2 || inputs.size() > 3)
      refuse(fmt::format("expected {{query, value}} or {{query, value, key}}, found {} tensors",
                         inputs.size()));
    const Shape &query = inputs[0].shape, &value = inputs[1].shape, &key = inputs.back().shape;
    if (query.rank() != 3 || value.rank() != 3 || key.rank() != 3 || value[1] != key[1] ||
        value[0] != key[0] || value[0] != query[0])
      refuse(
          "expected a query (batch, places, features), and a value and a key of as many places, "
          "found " +
          query.to_string() + ", " + value.to_string() + " and " + key.to_string());
  }

 private:
  EinsumDenseOptions common(std::string name) const {
    return {.kernel_initializer = options_.kernel_initializer,
            .bias_initializer = options_.bias_initializer,
            .kernel_regularizer = options_.kernel_regularizer,
            .bias_regularizer = options_.bias_regularizer,
            .kernel_constraint = options_.kernel_constraint,
            .bias_constraint = options_.bias_constraint,
            .name = std::move(name),
            .trainable = trainable()};
  }

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
    Tensor mask = both_masks(mask_of_queries(context.mask), mask_of_keys(inputs[1].mask()));
    if (inputs.size() > 2) mask = both_masks(mask, mask_of_keys(inputs[2].mask()));
    if (options_.sliding_window)
      mask = both_masks(
          mask, window_mask(inputs[0].shape()[1], inputs[1].shape()[1], *options_.sliding_window));
    if (context.attention_mask.defined()) {
      const Tensor given = as_mask(context.attention_mask);
      if (given.rank() < 2 || given.rank() > 3)
        refuse("attention_mask must be (batch, queries, keys), found " + given.shape().to_string());
      mask = both_masks(given, mask);
    }
    return mask.defined() ? with_heads(mask) : mask;
  }

  AttentionOptions attention_options(const CallContext& context) const {
    AttentionOptions options{.scale = 1 / std::sqrt(static_cast<double>(options_.head_dim)),
                             .causal = context.use_causal_mask};
    if (context.is_training && options_.dropout > 0) {
      options.dropout = options_.dropout;
      options.random = seed_.defined() ? training_clock().draw(seed_) : training_clock().draw();
    }
    return options;
  }

  Layer query_, key_, value_, gate_, output_;
  Variable seed_;  // undefined: the clock's
};

}  // namespace

void describe(Fields& fields, GroupQueryAttentionOptions& options) {
  fields.with("head_dim", options.head_dim)
      .with("num_query_heads", options.num_query_heads)
      .with("num_key_value_heads", options.num_key_value_heads)
      .with("use_bias", options.use_bias)
      .with("use_gate", options.use_gate)
      .with("sliding_window", options.sliding_window)
      .with("dropout", options.dropout)
      .with("kernel_initializer", options.kernel_initializer)
      .with("bias_initializer", options.bias_initializer)
      .with("kernel_regularizer", options.kernel_regularizer)
      .with("bias_regularizer", options.bias_regularizer)
      .only_null("activity_regularizer")
      .with("kernel_constraint", options.kernel_constraint)
      .with("bias_constraint", options.bias_constraint)
      .with("seed", options.seed);
  if (fields.reading()) fields.ignored("flash_attention");
}

GroupedQueryAttention::GroupedQueryAttention(const GroupQueryAttentionOptions& options)
    : Layer(make_layer<GroupQueryAttentionBody>(options)) {}

}  // namespace plimsoll
