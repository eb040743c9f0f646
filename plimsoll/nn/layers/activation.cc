#include "plimsoll/nn/layers/activation.h"

#include "plimsoll/nn/keras/fields.h"
#include "plimsoll/nn/layers/make_layer.h"
#include "plimsoll/ops/elementwise/activations.h"

namespace plimsoll {
namespace {

class ActivationBody final : public LayerOf<ActivationOptions> {
 public:
  explicit ActivationBody(const ActivationOptions& options)
      : LayerOf(options), activation_(options.activation.function()) {}
  std::string_view class_name() const override { return "Activation"; }
  RangeEffect range_effect() const override { return RangeEffect::activates(); }
  bool supports_masking() const override { return true; }
  Tensors call(const Tensors& inputs, const CallContext&) override {
    return {activation_(as_float(inputs[0]))};
  }

 private:
  ActivationFunction activation_;
};

}  // namespace

void describe(Fields& fields, ActivationOptions& options) {
  fields.activation("activation", options.activation);
}

Activation::Activation(const ActivationOptions& options)
    : Layer(make_layer<ActivationBody>(options)) {}

}  // namespace plimsoll
