#include "plimsoll/nn/layers/dense.h"

#include <fmt/format.h>

#include "plimsoll/nn/keras/fields.h"
#include "plimsoll/nn/layers/make_layer.h"
#include "plimsoll/ops/elementwise/activations.h"
#include "plimsoll/ops/elementwise/elementwise.h"
#include "plimsoll/ops/linear/linear.h"
#include "plimsoll/ops/movement/movement.h"

namespace plimsoll {
namespace {

class DenseBody final : public LayerOf<DenseOptions> {
 public:
  explicit DenseBody(const DenseOptions& options)
      : LayerOf(options), activation_(options.activation.function()) {}

  void validate() const {
    if (options_.units < 1)
      refuse(fmt::format("units must be at least 1, found {}", options_.units));
  }
  std::string_view class_name() const override { return "Dense"; }
  RangeEffect range_effect() const override { return RangeEffect::multiplies(); }
  bool supports_masking() const override { return true; }

  void build(const Specs& inputs) override {
    kernel_ = add_weight(kernel_of({inputs[0].shape.back(), options_.units}));
    if (options_.use_bias) bias_ = add_weight(bias_of({options_.units}));
  }

  Tensors call(const Tensors& inputs, const CallContext&) override {
    const Tensor x = as_float(inputs[0]);
    // All axes but the last are rows of one matrix: a single product, however many there are.
    const bool flat = x.rank() == 2;
    Tensor y = matmul(flat ? x : reshape(x, {-1, x.shape().back()}), kernel_);
    if (options_.use_bias) y = y + bias_;
    if (!flat) {
      Shape shape = x.shape();
      shape[shape.rank() - 1] = options_.units;
      y = reshape(y, shape);
    }
    return {activation_(y)};
  }

 protected:
  void check(const Specs& inputs) const override {
    const Shape& shape = inputs[0].shape;
    if (shape.rank() < 2)
      refuse("expected an input of rank 2 or more, (batch, …, features), found " +
             shape.to_string());
    if (built() && shape.back() != kernel_.shape()[0])
      refuse(fmt::format("input has {} features, kernel expects {} (found shape {})", shape.back(),
                         kernel_.shape()[0], shape.to_string()));
  }

 private:
  ActivationFunction activation_;
  Variable kernel_, bias_;
};

}  // namespace

void describe(Fields& fields, DenseOptions& options) {
  fields.with("units", options.units)
      .activation("activation", options.activation)
      .with("use_bias", options.use_bias)
      .with("kernel_initializer", options.kernel_initializer)
      .with("bias_initializer", options.bias_initializer)
      .with("kernel_regularizer", options.kernel_regularizer)
      .with("bias_regularizer", options.bias_regularizer)
      .with("kernel_constraint", options.kernel_constraint)
      .with("bias_constraint", options.bias_constraint)
      .only_null("quantization_config");
  // Keras writes it for a Dense only if it is set.
  if (fields.reading() || options.activity_regularizer)
    fields.with("activity_regularizer", options.activity_regularizer);
}

Dense::Dense(const DenseOptions& options) : Layer(make_layer<DenseBody>(options)) {}

}  // namespace plimsoll
