#include "plimsoll/nn/layers/embedding.h"

#include <fmt/format.h>

#include "plimsoll/nn/keras/fields.h"
#include "plimsoll/nn/layers/make_layer.h"
#include "plimsoll/ops/elementwise/elementwise.h"
#include "plimsoll/ops/movement/movement.h"

namespace plimsoll {
namespace {

class EmbeddingBody final : public LayerOf<EmbeddingOptions> {
 public:
  using LayerOf::LayerOf;

  void validate() const {
    if (options_.input_dim < 1)
      refuse(fmt::format("input_dim must be at least 1, found {}", options_.input_dim));
    if (options_.output_dim < 1)
      refuse(fmt::format("output_dim must be at least 1, found {}", options_.output_dim));
  }
  std::string_view class_name() const override { return "Embedding"; }
  RangeEffect range_effect() const override { return RangeEffect::looks_up(options_.input_dim); }

  bool supports_masking() const override { return options_.mask_zero; }
  Tensors output_masks(const Tensors& inputs, const Tensors&, const Tensors&) const override {
    return {not_equal(inputs[0], 0)};
  }

  void build(const Specs&) override {
    embeddings_ = add_weight({.name = "embeddings",
                              .shape = {options_.input_dim, options_.output_dim},
                              .initializer = options_.embeddings_initializer,
                              .regularizer = options_.embeddings_regularizer,
                              .constraint = options_.embeddings_constraint});
  }

  Tensors call(const Tensors& inputs, const CallContext&) override {
    const Tensor& x = inputs[0];
    const bool ready = x.dtype() == DType::int32 || x.dtype() == DType::int64;
    return {gather(embeddings_, ready ? x : cast(x, DType::int32))};
  }

 private:
  Variable embeddings_;
};

}  // namespace

void describe(Fields& fields, EmbeddingOptions& options) {
  fields.with("input_dim", options.input_dim)
      .with("output_dim", options.output_dim)
      .with("embeddings_initializer", options.embeddings_initializer)
      .with("embeddings_regularizer", options.embeddings_regularizer)
      .with("activity_regularizer", options.activity_regularizer)
      .with("embeddings_constraint", options.embeddings_constraint)
      .with("mask_zero", options.mask_zero)
      .only_null("quantization_config");
  if (fields.reading()) fields.ignored("input_length").only_null("lora_rank").ignored("lora_alpha");
}

Embedding::Embedding(const EmbeddingOptions& options) : Layer(make_layer<EmbeddingBody>(options)) {}

}  // namespace plimsoll
