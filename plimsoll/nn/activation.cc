#include "plimsoll/nn/activation.h"

#include "plimsoll/nn/make_layer.h"
#include "plimsoll/ops/activations.h"

namespace plimsoll {
namespace {

class ActivationBody final : public LayerBody {
 public:
  explicit ActivationBody(const ActivationOptions& options)
      : activation_(activation(options.activation)) {}
  std::string_view class_name() const override { return "Activation"; }
  Tensors call(const Tensors& inputs, const CallOptions&) override {
    return {activation_(as_float(inputs[0]))};
  }

 private:
  ActivationFunction activation_;
};

}  // namespace

Activation::Activation(const ActivationOptions& options)
    : Layer(make_layer<ActivationBody>(options)) {}

}  // namespace plimsoll
