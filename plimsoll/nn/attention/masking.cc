#include "plimsoll/nn/attention/masking.h"

#include "plimsoll/nn/keras/fields.h"
#include "plimsoll/nn/layers/make_layer.h"
#include "plimsoll/ops/elementwise/elementwise.h"
#include "plimsoll/ops/movement/movement.h"
#include "plimsoll/ops/reduction/reduction.h"

namespace plimsoll {
namespace {

class MaskingBody final : public LayerOf<MaskingOptions> {
 public:
  using LayerOf::LayerOf;
  std::string_view class_name() const override { return "Masking"; }
  RangeEffect range_effect() const override { return RangeEffect::keeps(); }
  bool supports_masking() const override { return true; }

  Tensors call(const Tensors& inputs, const CallContext&) override {
    const Tensor x = as_float(inputs[0]);
    const Tensor differs = cast(not_equal(x, options_.mask_value), DType::float32);
    const Tensor counts = greater(max(differs, {-1}, true), 0);
    const Tensor y = select(counts, x, 0.0);
    y.set_mask(squeeze(counts, -1));
    return {y};
  }

  Tensors output_masks(const Tensors&, const Tensors& outputs, const Tensors&) const override {
    return {outputs[0].mask()};
  }

 protected:
  void check(const Specs& inputs) const override {
    if (inputs[0].shape.rank() < 2)
      refuse("expected an input of rank 2 or more, (batch, …, features), found " +
             inputs[0].shape.to_string());
  }
};

}  // namespace

void describe(Fields& fields, MaskingOptions& options) {
  fields.with("mask_value", options.mask_value);
}

Masking::Masking(const MaskingOptions& options) : Layer(make_layer<MaskingBody>(options)) {}

}  // namespace plimsoll
