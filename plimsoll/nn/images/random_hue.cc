#include "plimsoll/nn/images/random_hue.h"

#include "plimsoll/nn/images/color_layer.h"
#include "plimsoll/nn/images/random_color.h"
#include "plimsoll/ops/reduction/reduction.h"

namespace plimsoll {
namespace {

constexpr double kEpsilon = 1e-7;  // Keras's

struct Hsv {
  Tensor hue, saturation, value;
};

Tensor channel(const Tensor& images, int64_t number) {
  return slice(images, {0, 0, 0, number}, {-1, -1, -1, 1});
}

// As TensorFlow, for values of any range: only `value` is in that range, the others are from 0 to
// 1.
Hsv hsv_of(const Tensor& images) {
  const Tensor r = channel(images, 0), g = channel(images, 1), b = channel(images, 2);
  const Tensor value = max(images, {3}, true), range = value - min(images, {3}, true);
  const Tensor is_gray = less_equal(range, 0.0);
  const Tensor sixth = 1.0 / (6.0 * select(is_gray, 1.0, range));
  const Tensor hue =
      select(equal(r, value), sixth * (g - b),
             select(equal(g, value), sixth * (b - r) + 2.0 / 6.0, sixth * (r - g) + 4.0 / 6.0));
  const Tensor positive = select(less(hue, 0.0), hue + 1.0, hue);
  const Tensor has_value = greater(value, 0.0);
  return {select(is_gray, 0.0, positive),
          select(has_value, range / select(has_value, value, 1.0), 0.0), value};
}

Tensor rgb_of(const Hsv& hsv) {
  const Tensor sixths = hsv.hue * 6.0;
  const auto mixed = [&](const Tensor& share) {
    return ((1.0 - hsv.saturation) + hsv.saturation * clip(share, 0, 1)) * hsv.value;
  };
  return concatenate({mixed(abs(sixths - 3.0) - 1.0), mixed(2.0 - abs(sixths - 2.0)),
                      mixed(2.0 - abs(sixths - 4.0))},
                     -1);
}

Tensor gray_of(const Tensor& images) {
  if (images.shape().back() == 1) return images;
  return channel(images, 0) * 0.2989 + channel(images, 1) * 0.587 + channel(images, 2) * 0.114;
}

class RandomHueBody final : public ColorLayer<RandomHueOptions> {
 public:
  using ColorLayer::ColorLayer;
  std::string_view class_name() const override { return "RandomHue"; }

 protected:
  void check(const Specs& inputs) const override { expect_rgb(inputs); }
  std::pair<double, double> factor() const override {
    return bounds("factor", options_.factor, 0, 1);
  }
  Tensor changed(const Tensor& images) override {
    const Tensor side = greater(draw_for_pixels(images, {0, 1}), 0.5);
    const Tensor size = draw_for_pixels(images, factor()) * 0.5;
    Hsv hsv = hsv_of(scaled(images, 1));
    const Tensor turned = hsv.hue + select(side, -size, size);
    const Tensor below = select(greater(turned, 1.0), turned - 1.0, turned);
    hsv.hue = select(less(below, 0.0), below + 1.0, below);
    return unscaled(clip(rgb_of(hsv), 0, 1), 1);
  }
};

class RandomSaturationBody final : public ColorLayer<RandomSaturationOptions> {
 public:
  using ColorLayer::ColorLayer;
  std::string_view class_name() const override { return "RandomSaturation"; }

 protected:
  void check(const Specs& inputs) const override { expect_rgb(inputs); }
  std::pair<double, double> factor() const override {
    return bounds("factor", options_.factor, -1, 1);
  }
  // Keras limits the saturation by the range of values.
  Tensor changed(const Tensor& images) override {
    const Tensor drawn = draw_for_pixels(images, factor());
    Hsv hsv = hsv_of(images);
    hsv.saturation = clip(hsv.saturation * (drawn / (1.0 - drawn + kEpsilon)), lowest(), highest());
    return rgb_of(hsv);
  }
};

class RandomColorDegenerationBody final : public ColorLayer<RandomColorDegenerationOptions> {
 public:
  using ColorLayer::ColorLayer;
  std::string_view class_name() const override { return "RandomColorDegeneration"; }

 protected:
  void check(const Specs& inputs) const override { expect_rgb(inputs); }
  std::pair<double, double> factor() const override {
    return bounds("factor", options_.factor, -1, 1);
  }
  Tensor changed(const Tensor& images) override {
    const Tensor share = draw_for_pixels(images, factor());
    return clip(images + share * (gray_of(images) - images), lowest(), highest());
  }
};

class RandomGrayscaleBody final : public RandomLayer<RandomGrayscaleOptions> {
 public:
  using RandomLayer::RandomLayer;
  void validate() const { bounds("factor", options_.factor, 0, 1); }
  std::string_view class_name() const override { return "RandomGrayscale"; }

 protected:
  void check(const Specs& inputs) const override {
    expect_images(inputs);
    const int64_t channels = inputs[0].shape.back();
    if (channels != 1 && channels != 3)
      refuse("expected images of 1 or 3 channels, found shape " + inputs[0].shape.to_string());
  }
  Tensor changed(const Tensor& images) override {
    const Tensor drawn = reshape(draw(images, {0, 1}), {images.shape()[0], 1, 1, 1});
    return select(less(drawn, options_.factor), gray_of(images), images);
  }
};

class RandomColorJitterBody final : public RandomLayer<RandomColorJitterOptions> {
 public:
  explicit RandomColorJitterBody(const RandomColorJitterOptions& o) : RandomLayer(o) {
    const NumberOrList& range = o.value_range;
    if (o.brightness_factor)
      layers_.push_back(RandomBrightness({*o.brightness_factor, range, o.seed, "brightness"}));
    if (o.contrast_factor)
      layers_.push_back(RandomContrast({*o.contrast_factor, range, o.seed, "contrast"}));
    if (o.saturation_factor)
      layers_.push_back(RandomSaturation({*o.saturation_factor, range, o.seed, "saturation"}));
    if (o.hue_factor) layers_.push_back(RandomHue({*o.hue_factor, range, o.seed, "hue"}));
  }
  std::string_view class_name() const override { return "RandomColorJitter"; }

 protected:
  Tensor changed(const Tensor& images) override {
    Tensor result = images;
    for (const Layer& layer : layers_) result = layer(result, {.training = true});
    return result;
  }

 private:
  Layers layers_;
};

}  // namespace

void describe(Fields& fields, RandomHueOptions& options) {
  describe_color(fields, options, 0);
}
void describe(Fields& fields, RandomSaturationOptions& options) {
  describe_color(fields, options, -1);
}
void describe(Fields& fields, RandomColorDegenerationOptions& options) {
  describe_color(fields, options, -1);
}
void describe(Fields& fields, RandomGrayscaleOptions& options) {
  fields.only("data_format", "channels_last").with("factor", options.factor);
}
void describe(Fields& fields, RandomColorJitterOptions& options) {
  fields.only("data_format", "channels_last");
  tell(fields, "value_range", options.value_range);
  tell(fields, "brightness_factor", options.brightness_factor);
  tell(fields, "contrast_factor", options.contrast_factor);
  tell(fields, "saturation_factor", options.saturation_factor);
  tell(fields, "hue_factor", options.hue_factor);
  fields.with("seed", options.seed);
}

RandomHue::RandomHue(const RandomHueOptions& options) : Layer(make_layer<RandomHueBody>(options)) {}
RandomSaturation::RandomSaturation(const RandomSaturationOptions& options)
    : Layer(make_layer<RandomSaturationBody>(options)) {}
RandomColorDegeneration::RandomColorDegeneration(const RandomColorDegenerationOptions& options)
    : Layer(make_layer<RandomColorDegenerationBody>(options)) {}
RandomGrayscale::RandomGrayscale(const RandomGrayscaleOptions& options)
    : Layer(make_layer<RandomGrayscaleBody>(options)) {}
RandomColorJitter::RandomColorJitter(const RandomColorJitterOptions& options)
    : Layer(make_layer<RandomColorJitterBody>(options)) {}

}  // namespace plimsoll
