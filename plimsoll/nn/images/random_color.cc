#include "plimsoll/nn/images/random_color.h"

#include <fmt/format.h>

#include "plimsoll/nn/images/random_layer.h"
#include "plimsoll/ops/elementwise/elementwise.h"
#include "plimsoll/ops/reduction/reduction.h"

namespace plimsoll {
namespace {

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
  virtual std::pair<double, double> factor() const = 0;

  double lowest() const { return std::ranges::min(this->options_.value_range.values); }
  double highest() const { return std::ranges::max(this->options_.value_range.values); }
  // One number per image, (batch, 1, 1, 1).
  Tensor draw_for_pixels(const Tensor& images, std::pair<double, double> bounds) {
    return reshape(this->draw(images, bounds), {images.shape()[0], 1, 1, 1});
  }
};

class RandomContrastBody final : public ColorLayer<RandomContrastOptions> {
 public:
  using ColorLayer::ColorLayer;
  std::string_view class_name() const override { return "RandomContrast"; }

 protected:
  std::pair<double, double> factor() const override {
    return bounds("factor", options_.factor, 0, 1);
  }
  Tensor changed(const Tensor& images) override {
    const auto [low, high] = factor();
    const Tensor contrast = draw_for_pixels(images, {1 - low, 1 + high});
    const Tensor middle = mean(images, {1, 2}, true);
    return clip((images - middle) * contrast + middle, lowest(), highest());
  }
};

class RandomBrightnessBody final : public ColorLayer<RandomBrightnessOptions> {
 public:
  using ColorLayer::ColorLayer;
  std::string_view class_name() const override { return "RandomBrightness"; }

 protected:
  std::pair<double, double> factor() const override {
    return bounds("factor", options_.factor, -1, 1);
  }
  Tensor changed(const Tensor& images) override {
    const Tensor more = draw_for_pixels(images, factor()) * (highest() - lowest());
    return clip(images + more, lowest(), highest());
  }
};

template <class Options>
void describe_all(Fields& fields, Options& options, double least) {
  fields.only("data_format", "channels_last");
  options.factor = as_bounds(options.factor, least);
  tell(fields, "factor", options.factor);
  tell(fields, "value_range", options.value_range);
  fields.with("seed", options.seed);
}

}  // namespace

void describe(Fields& fields, RandomContrastOptions& options) {
  describe_all(fields, options, 0);
}
void describe(Fields& fields, RandomBrightnessOptions& options) {
  describe_all(fields, options, -1);
}

RandomContrast::RandomContrast(const RandomContrastOptions& options)
    : Layer(make_layer<RandomContrastBody>(options)) {}

RandomBrightness::RandomBrightness(const RandomBrightnessOptions& options)
    : Layer(make_layer<RandomBrightnessBody>(options)) {}

}  // namespace plimsoll
