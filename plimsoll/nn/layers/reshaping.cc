#include "plimsoll/nn/layers/reshaping.h"

#include <fmt/format.h>

#include "plimsoll/nn/keras/fields.h"
#include "plimsoll/nn/layers/make_layer.h"
#include "plimsoll/ops/movement/movement.h"

namespace plimsoll {
namespace {

class FlattenBody final : public LayerOf<FlattenOptions> {
 public:
  using LayerOf::LayerOf;
  std::string_view class_name() const override { return "Flatten"; }
  RangeEffect range_effect() const override { return RangeEffect::keeps(); }
  Tensors call(const Tensors& inputs, const CallContext&) override {
    const Shape& shape = inputs[0].shape();
    return {reshape(inputs[0], {shape[0], shape.elements(1, shape.rank())})};
  }

 protected:
  void check(const Specs& inputs) const override {
    if (inputs[0].shape.rank() == 0) refuse("expected an input with a batch axis, found a scalar");
  }
};

class ReshapeBody final : public LayerOf<ReshapeOptions> {
 public:
  explicit ReshapeBody(const ReshapeOptions& options)
      : LayerOf(options), target_(options.target_shape) {}

  void validate() const {
    int open = 0;
    for (const int64_t dim : target_) {
      if (dim < -1)
        refuse(fmt::format(
            "target_shape has the dimension {}, expected a size, or -1 to compute it", dim));
      open += dim == -1;
    }
    if (open > 1) refuse("target_shape " + target_.to_string() + " has more than one -1");
  }
  std::string_view class_name() const override { return "Reshape"; }
  RangeEffect range_effect() const override { return RangeEffect::keeps(); }
  Tensors call(const Tensors& inputs, const CallContext&) override {
    return {reshape(inputs[0], shape_for(inputs[0].shape()))};
  }

 protected:
  void check(const Specs& inputs) const override {
    const Shape& shape = inputs[0].shape;
    if (shape.rank() == 0) refuse("expected an input with a batch axis, found a scalar");
    if (shape_for(shape).elements() != shape.elements())
      refuse("a sample of shape " + Shape(shape.dims().subspan(1)).to_string() +
             " does not fill target_shape " + target_.to_string());
  }

 private:
  Shape shape_for(const Shape& input) const {
    int64_t known = 1;
    for (const int64_t dim : target_) known *= dim == -1 ? 1 : dim;
    Shape shape{input[0]};
    for (const int64_t dim : target_)
      shape.push_back(dim != -1 ? dim : known == 0 ? 0 : input.elements(1, input.rank()) / known);
    return shape;
  }

  Shape target_;
};

}  // namespace

void describe(Fields& fields, FlattenOptions&) {
  fields.only("data_format", "channels_last");
}

// Not as a Shape, which would write -1 as unknown.
void describe(Fields& fields, ReshapeOptions& options) {
  std::vector<int64_t> dims(options.target_shape.begin(), options.target_shape.end());
  fields.with("target_shape", dims);
  options.target_shape = Shape(dims);
}

Flatten::Flatten(const FlattenOptions& options) : Layer(make_layer<FlattenBody>(options)) {}

Reshape::Reshape(const ReshapeOptions& options) : Layer(make_layer<ReshapeBody>(options)) {}

}  // namespace plimsoll
