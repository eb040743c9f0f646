// What layers that change images at random have in common: they act in training only, and their
// random numbers are a function of (seed, layer, step, image), so that replays agree.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

#include "plimsoll/nn/images/image_layer.h"
#include "plimsoll/nn/keras/number_or_list.h"
#include "plimsoll/nn/layer_seed.h"
#include "plimsoll/nn/layers/takes_single_images.h"

namespace plimsoll {

template <class Options>
class RandomLayer : public ImageLayer<Options>, public TakesSingleImages {
 public:
  explicit RandomLayer(const Options& options)
      : ImageLayer<Options>(options), seed_(options.seed) {}

  RangeEffect range_effect() const override { return RangeEffect::keeps(); }

  Tensors call(const Tensors& inputs, const CallContext& context) final {
    const Tensor images = as_float(inputs[0]);
    return {context.is_training ? changed(images) : images};
  }

 protected:
  virtual Tensor changed(const Tensor& images) = 0;

  void check(const Specs& inputs) const override { this->expect_images(inputs); }

  // (batch, 1): one number per image, uniform between the bounds; each call draws new numbers.
  Tensor draw(const Tensor& images, std::pair<double, double> bounds) {
    return draw_numbers(images.shape()[0], bounds);
  }
  Tensor draw_numbers(int64_t count, std::pair<double, double> bounds) {
    return random_uniform({count, 1}, bounds.first, bounds.second, draw_state());
  }
  RandomState draw_state() { return seed_.draw(); }

  // {low, high} in order; one number f means -f to f, but not below `least`.
  std::pair<double, double> bounds(const char* what, const NumberOrList& factor, double least,
                                   double most) const {
    for (const double value : factor.values)
      if (!(value >= least && value <= most) || (factor.is_list && factor.values.size() != 2))
        this->refuse(
            fmt::format("{} must be a number or two of them, from {} to {}", what, least, most));
    const double first = factor.values.front(), last = factor.values.back();
    if (factor.is_list) return {std::min(first, last), std::max(first, last)};
    return {std::max(-std::abs(first), least), std::abs(first)};
  }

 private:
  LayerSeed seed_;
};

// Keras writes some factors as bounds even if a single number was given.
inline NumberOrList as_bounds(const NumberOrList& factor, double least) {
  if (factor.is_list) return factor;
  const double most = std::abs(factor.values[0]);
  return {std::max(-most, least), most};
}

}  // namespace plimsoll
