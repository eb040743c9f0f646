#include "plimsoll/nn/images/tones.h"

#include <algorithm>
#include <cmath>

#include "plimsoll/nn/images/color_layer.h"
#include "plimsoll/nn/layers/takes_single_images.h"
#include "plimsoll/ops/reduction/reduction.h"

namespace plimsoll {
namespace {

constexpr double kTop = 255;  // of the range in which Keras computes
constexpr double kBits = 8;

class RandomInvertBody final : public ColorLayer<RandomInvertOptions> {
 public:
  using ColorLayer::ColorLayer;
  std::string_view class_name() const override { return "RandomInvert"; }

 protected:
  std::pair<double, double> factor() const override {
    return bounds("factor", options_.factor, 0, 1);
  }
  Tensor changed(const Tensor& images) override {
    return select(chosen(images, factor()), highest() - images, images);
  }
};

class RandomPosterizationBody final : public ColorLayer<RandomPosterizationOptions> {
 public:
  using ColorLayer::ColorLayer;
  std::string_view class_name() const override { return "RandomPosterization"; }

 protected:
  std::pair<double, double> factor() const override {
    return bounds("factor", options_.factor, 1, kBits);
  }
  // Whole numbers from low to high - 1, or low if they are equal. The gradient is 0.
  Tensor changed(const Tensor& images) override {
    const auto [low, high] = factor();
    const Tensor drawn = draw_for_pixels(images, {0, 1}) * (high - low) + low;
    const Tensor bits = low == high ? drawn : minimum(floor(drawn), high - 1);
    const Tensor step = exp((kBits - bits) * std::log(2.0));
    const Tensor whole = floor(scaled(images, kTop));
    const Tensor steps = round(step);
    return unscaled(floor(whole / steps) * steps, kTop) + images * 0.0;
  }
};

class SolarizationBody final : public ColorLayer<SolarizationOptions> {
 public:
  using ColorLayer::ColorLayer;
  std::string_view class_name() const override { return "Solarization"; }

 protected:
  std::pair<double, double> factor() const override {
    range("addition_factor", options_.addition_factor);
    return range("threshold_factor", options_.threshold_factor);
  }
  // Keras draws from low to 255 times high.
  Tensor changed(const Tensor& images) override {
    const auto drawn = [&](std::pair<double, double> factors) {
      return draw_for_pixels(images, {factors.first, factors.second * kTop});
    };
    const Tensor more = drawn(range("addition_factor", options_.addition_factor));
    const Tensor threshold = drawn(range("threshold_factor", options_.threshold_factor));
    const Tensor result = clip(scaled(images, kTop) + more, 0, kTop);
    return unscaled(select(less(result, threshold), result, kTop - result), kTop);
  }

 private:
  std::pair<double, double> range(const char* what, const NumberOrList& factor) const {
    return bounds(what, factor, 0, 1);
  }
};

class AutoContrastBody final : public ImageLayer<AutoContrastOptions>, public TakesSingleImages {
 public:
  using ImageLayer::ImageLayer;
  void validate() const {
    if (options_.value_range.values.size() != 2)
      refuse(fmt::format("value_range must be two numbers, found {}",
                         options_.value_range.values.size()));
  }
  std::string_view class_name() const override { return "AutoContrast"; }
  // A channel of one value stays as it is.
  Tensors call(const Tensors& inputs, const CallContext&) override {
    const Tensor images = as_float(inputs[0]);
    const double low = std::ranges::min(options_.value_range.values);
    const double high = std::ranges::max(options_.value_range.values);
    const Tensor least = min(images, {1, 2}, true), most = max(images, {1, 2}, true);
    const Tensor is_flat = less_equal(most - least, 0.0);
    const Tensor share = (images - least) / select(is_flat, 1.0, most - least);
    return {select(is_flat, images, clip(share, 0, 1) * (high - low) + low)};
  }

 protected:
  void check(const Specs& inputs) const override { expect_images(inputs); }
};

}  // namespace

void describe(Fields& fields, RandomInvertOptions& options) {
  describe_color(fields, options, 0);
}
void describe(Fields& fields, RandomPosterizationOptions& options) {
  describe_color(fields, options, 1);
}
void describe(Fields& fields, SolarizationOptions& options) {
  fields.only("data_format", "channels_last");
  tell(fields, "value_range", options.value_range);
  options.addition_factor = as_bounds(options.addition_factor, 0);
  tell(fields, "addition_factor", options.addition_factor);
  options.threshold_factor = as_bounds(options.threshold_factor, 0);
  tell(fields, "threshold_factor", options.threshold_factor);
  fields.with("seed", options.seed);
}
void describe(Fields& fields, AutoContrastOptions& options) {
  fields.only("data_format", "channels_last");
  tell(fields, "value_range", options.value_range);
}

RandomInvert::RandomInvert(const RandomInvertOptions& options)
    : Layer(make_layer<RandomInvertBody>(options)) {}
RandomPosterization::RandomPosterization(const RandomPosterizationOptions& options)
    : Layer(make_layer<RandomPosterizationBody>(options)) {}
Solarization::Solarization(const SolarizationOptions& options)
    : Layer(make_layer<SolarizationBody>(options)) {}
AutoContrast::AutoContrast(const AutoContrastOptions& options)
    : Layer(make_layer<AutoContrastBody>(options)) {}

}  // namespace plimsoll
