// The option noise_shape of layers that drop elements: along an axis where it has 1, all elements
// share one decision; where it has -1, each has its own, as without the option.
#pragma once

#include <fmt/format.h>

#include "plimsoll/nn/keras/fields.h"
#include "plimsoll/nn/layer_seed.h"
#include "plimsoll/nn/layers/make_layer.h"
#include "plimsoll/tensor/shape.h"

namespace plimsoll {

// The shape of the decisions for an input.
Shape noise_shape_for(const Shape& noise_shape, const Shape& input);

bool noise_shape_fits(const Shape& noise_shape, const Shape& input);

// Null if there is none.
void describe_noise_shape(Fields& fields, Shape& noise_shape);

// A layer that drops elements. The options have a noise_shape and a seed.
template <class Options>
class DropsElements : public LayerOf<Options> {
 public:
  explicit DropsElements(const Options& options) : LayerOf<Options>(options), seed_(options.seed) {}
  bool supports_masking() const override { return true; }

 protected:
  void check(const Specs& inputs) const override {
    const Shape &noise = this->options_.noise_shape, &input = inputs[0].shape;
    if (!noise_shape_fits(noise, input))
      this->refuse(fmt::format("noise_shape {} does not broadcast to the input {}",
                               noise.to_string(), input.to_string()));
  }
  RandomState draw() const { return seed_.draw(); }

 private:
  LayerSeed seed_;
};

}  // namespace plimsoll
