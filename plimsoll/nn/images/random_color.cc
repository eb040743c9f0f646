#include "plimsoll/nn/images/random_color.h"

#include "plimsoll/nn/images/color_layer.h"
#include "plimsoll/ops/reduction/reduction.h"

namespace plimsoll {
namespace {

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

}  // namespace

void describe(Fields& fields, RandomContrastOptions& options) {
  describe_color(fields, options, 0);
}
void describe(Fields& fields, RandomBrightnessOptions& options) {
  describe_color(fields, options, -1);
}

RandomContrast::RandomContrast(const RandomContrastOptions& options)
    : Layer(make_layer<RandomContrastBody>(options)) {}

RandomBrightness::RandomBrightness(const RandomBrightnessOptions& options)
    : Layer(make_layer<RandomBrightnessBody>(options)) {}

}  // namespace plimsoll
