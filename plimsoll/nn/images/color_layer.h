// What layers that change the values of images at random have in common: a range of values, and one
// draw per image.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "plimsoll/nn/images/random_layer.h"
#include "plimsoll/ops/elementwise/elementwise.h"

namespace plimsoll {

template <class Options>
class ColorLayer : public RandomLayer<Options> {
 public:
  using RandomLayer<Options>::RandomLayer;
  void validate() const {
    if (this->options_.value_range.values.size() != 2)
      this->refuse(fmt::format("value_range must be two numbers, found {}",
                               this->options_.value_range.values.size()));
    factor();
  }

 protected:
  virtual std::pair<double, double> factor() const { return {0, 0}; }

  double lowest() const { return std::ranges::min(this->options_.value_range.values); }
  double highest() const { return std::ranges::max(this->options_.value_range.values); }
  // One number per image, (batch, 1, 1, 1).
  Tensor draw_for_pixels(const Tensor& images, std::pair<double, double> bounds) {
    return reshape(this->draw(images, bounds), {images.shape()[0], 1, 1, 1});
  }
  // True for an image with a probability that is itself drawn between the bounds.
  Tensor chosen(const Tensor& images, std::pair<double, double> bounds) {
    const Tensor probability = draw_for_pixels(images, bounds);
    return less(draw_for_pixels(images, {0, 1}), probability);
  }
  // From the range of values to 0 … `top`, and back.
  Tensor scaled(const Tensor& images, double top) const {
    return (images - lowest()) * (top / (highest() - lowest()));
  }
  Tensor unscaled(const Tensor& images, double top) const {
    return images * ((highest() - lowest()) / top) + lowest();
  }
  void expect_rgb(const Specs& inputs) const {
    this->expect_images(inputs);
    if (inputs[0].shape.back() != 3)
      this->refuse(fmt::format("expected images of 3 channels, found shape {}",
                               inputs[0].shape.to_string()));
  }
};

// `least` is the smallest factor that Keras allows.
template <class Options>
void describe_color(Fields& fields, Options& options, double least) {
  fields.only("data_format", "channels_last");
  options.factor = as_bounds(options.factor, least);
  tell(fields, "factor", options.factor);
  tell(fields, "value_range", options.value_range);
  fields.with("seed", options.seed);
}

}  // namespace plimsoll
