#include "plimsoll/nn/layers/layer_scale.h"

#include <fmt/format.h>

#include "plimsoll/nn/keras/fields.h"
#include "plimsoll/nn/layers/make_layer.h"
#include "plimsoll/ops/elementwise/elementwise.h"

namespace plimsoll {
namespace {

class LayerScaleBody final : public LayerOf<LayerScaleOptions> {
 public:
  using LayerOf::LayerOf;
  void validate() const {
    if (options_.projection_dim < 1)
      refuse(fmt::format("projection_dim must be at least 1, found {}", options_.projection_dim));
  }
  std::string_view class_name() const override { return "LayerScale"; }
  RangeEffect range_effect() const override { return RangeEffect::multiplies(); }

  void build(const Specs&) override {
    gamma_ = add_weight({.name = "gamma",
                         .shape = {options_.projection_dim},
                         .initializer = Constant({.value = options_.init_values})});
  }
  Tensors call(const Tensors& inputs, const CallContext&) override {
    return {as_float(inputs[0]) * gamma_};
  }

 protected:
  void check(const Specs& inputs) const override {
    const Shape& shape = inputs[0].shape;
    const int64_t scales = options_.projection_dim;
    if (shape.rank() < 2 || (shape.back() != scales && scales != 1))
      refuse(fmt::format("expected an input with {} channels (projection_dim), found {}", scales,
                         shape.to_string()));
  }

 private:
  Variable gamma_;
};

}  // namespace

void describe(Fields& fields, LayerScaleOptions& options) {
  fields.with("init_values", options.init_values).with("projection_dim", options.projection_dim);
}

LayerScale::LayerScale(const LayerScaleOptions& options)
    : Layer(make_layer<LayerScaleBody>(options)) {}

}  // namespace plimsoll
