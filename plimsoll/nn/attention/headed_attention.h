// HeadedAttention: what MultiHeadAttention and GroupedQueryAttention share: the layers inside, the
// masks that come with the inputs, and dropout.
#pragma once

#include <fmt/format.h>

#include <cmath>
#include <string>
#include <vector>

#include "plimsoll/nn/attention/attend.h"
#include "plimsoll/nn/attention/attention_masks.h"
#include "plimsoll/nn/attention/einsum_dense.h"
#include "plimsoll/nn/keras/fields.h"
#include "plimsoll/nn/layer_seed.h"
#include "plimsoll/nn/layers/make_layer.h"

namespace plimsoll {

// The options have a dropout, a sliding_window, a seed, and the settings of EinsumDense's weights.
template <class Options>
class HeadedAttention : public LayerOf<Options> {
 public:
  using Child = LayerBody::Child;

  // Keras's attributes are called "query_dense", …, after `prefix`; that of the gate always begins
  // with "_".
  HeadedAttention(const Options& options, std::string prefix)
      : LayerOf<Options>(options), prefix_(std::move(prefix)), seed_(options.seed) {}

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
    const auto add = [&](const std::string& attribute, const Layer& layer) {
      if (layer.body() != nullptr) found.push_back({attribute, layer.body()});
    };
    add(prefix_ + "query_dense", query_);
    add(prefix_ + "key_dense", key_);
    add("_gate_dense", gate_);
    add(prefix_ + "value_dense", value_);
    add(prefix_ + "output_dense", output_);
    return found;
  }

 protected:
  void check_positive(const char* name, int64_t value) const {
    if (value < 1) this->refuse(fmt::format("{} must be at least 1, found {}", name, value));
  }
  void check_window_and_dropout() const {
    if (this->options_.sliding_window)
      check_positive("sliding_window", *this->options_.sliding_window);
    if (!(this->options_.dropout >= 0 && this->options_.dropout < 1))
      this->refuse(fmt::format("dropout must be at least 0 and less than 1, found {}",
                               this->options_.dropout));
  }
  void check_count(const Specs& inputs) const {
    if (inputs.size() < 2 || inputs.size() > 3)
      this->refuse(fmt::format(
          "expected {{query, value}} or {{query, value, key}}, found {} tensors", inputs.size()));
  }

  EinsumDenseOptions common(std::string name) const {
    const Options& options = this->options_;
    return {.kernel_initializer = options.kernel_initializer,
            .bias_initializer = options.bias_initializer,
            .kernel_regularizer = options.kernel_regularizer,
            .bias_regularizer = options.bias_regularizer,
            .kernel_constraint = options.kernel_constraint,
            .bias_constraint = options.bias_constraint,
            .name = std::move(name),
            .trainable = this->trainable()};
  }

  // Of the pairs of places, by the masks that come with the inputs and by the window; undefined if
  // every pair counts.
  Tensor mask_of_pairs(const Tensors& inputs, const CallContext& context) const {
    Tensor mask = both_masks(mask_of_queries(context.mask), mask_of_keys(inputs[1].mask()));
    if (inputs.size() > 2) mask = both_masks(mask, mask_of_keys(inputs[2].mask()));
    if (!this->options_.sliding_window) return mask;
    const Shape &query = inputs[0].shape(), &value = inputs[1].shape();
    return both_masks(
        mask, window_mask(query.elements(1, query.rank() - 1), value.elements(1, value.rank() - 1),
                          *this->options_.sliding_window));
  }

  // `features` are those of a head.
  AttentionOptions attention_options(const CallContext& context, int64_t features) const {
    AttentionOptions options{.scale = 1 / std::sqrt(static_cast<double>(features)),
                             .causal = context.use_causal_mask};
    if (context.is_training && this->options_.dropout > 0) {
      options.dropout = this->options_.dropout;
      options.random = seed_.draw();
    }
    return options;
  }

  Layer query_, key_, value_, gate_, output_;

 private:
  std::string prefix_;
  LayerSeed seed_;
};

// The settings of the weights and of the dropout that both have, in Keras's order.
template <class Options>
void describe_weights(Fields& fields, Options& options) {
  fields.with("kernel_initializer", options.kernel_initializer)
      .with("bias_initializer", options.bias_initializer)
      .with("kernel_regularizer", options.kernel_regularizer)
      .with("bias_regularizer", options.bias_regularizer)
      .only_null("activity_regularizer")
      .with("kernel_constraint", options.kernel_constraint)
      .with("bias_constraint", options.bias_constraint)
      .with("seed", options.seed);
  if (fields.reading()) fields.ignored("flash_attention");
}

}  // namespace plimsoll
