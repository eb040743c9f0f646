#include "plimsoll/nn/images/random_affine.h"

#include <numbers>

#include "plimsoll/nn/images/random_layer.h"
#include "plimsoll/ops/elementwise/elementwise.h"
#include "plimsoll/ops/images/affine_transform.h"

namespace plimsoll {
namespace {

// The rows of affine transforms, each (batch, 1).
struct Matrix {
  Tensor a0, a1, a2, b0, b1, b2;

  Tensor transforms() const {
    const Tensor zero = a0 * 0.0;
    return concatenate({a0, a1, a2, b0, b1, b2, zero, zero}, 1);
  }
};

int64_t height(const Tensor& images) {
  return images.shape()[1];
}
int64_t width(const Tensor& images) {
  return images.shape()[2];
}
// The position of the last pixel, counted from 0.
double last_row(const Tensor& images) {
  return static_cast<double>(height(images) - 1);
}
double last_column(const Tensor& images) {
  return static_cast<double>(width(images) - 1);
}

class RandomFlipBody final : public RandomLayer<RandomFlipOptions> {
 public:
  using RandomLayer::RandomLayer;
  void validate() const {
    if (options_.mode != "horizontal" && options_.mode != "vertical" &&
        options_.mode != "horizontal_and_vertical")
      refuse("mode must be horizontal, vertical or horizontal_and_vertical, found '" +
             options_.mode + "'");
  }
  std::string_view class_name() const override { return "RandomFlip"; }

 protected:
  Tensor changed(const Tensor& images) override {
    const Tensor flips = cast(less_equal(draw(images, {0, 1}), 0.5), DType::float32);
    const Tensor zero = flips * 0.0, one = zero + 1.0, sign = 1.0 - 2.0 * flips;
    const bool across = options_.mode != "vertical", down = options_.mode != "horizontal";
    const Matrix matrix{across ? sign : one,
                        zero,
                        across ? flips * last_column(images) : zero,
                        zero,
                        down ? sign : one,
                        down ? flips * last_row(images) : zero};
    return affine_transform(images, matrix.transforms(), {.interpolation = Interpolation::nearest});
  }
};

// The layers that sample between pixels and beyond the border.
template <class Options>
class SamplingLayer : public RandomLayer<Options> {
 public:
  explicit SamplingLayer(const Options& options)
      : RandomLayer<Options>(options),
        sampling_{.interpolation = interpolation_of(options.interpolation),
                  .fill_mode = fill_mode_of(options.fill_mode),
                  .fill_value = options.fill_value} {}

  void validate() const {
    if (this->options_.interpolation != "nearest" && this->options_.interpolation != "bilinear")
      this->refuse("interpolation must be nearest or bilinear, found '" +
                   this->options_.interpolation + "'");
  }

 protected:
  Tensor sampled(const Tensor& images, const Matrix& matrix) const {
    return affine_transform(images, matrix.transforms(), sampling_);
  }

 private:
  AffineOptions sampling_;
};

class RandomRotationBody final : public SamplingLayer<RandomRotationOptions> {
 public:
  using SamplingLayer::SamplingLayer;
  void validate() const {
    SamplingLayer::validate();
    range();
  }
  std::string_view class_name() const override { return "RandomRotation"; }

 protected:
  // About the middle.
  Tensor changed(const Tensor& images) override {
    const auto [low, high] = range();
    const Tensor angle = draw(images, {low * 2 * std::numbers::pi, high * 2 * std::numbers::pi});
    const Tensor cosine = cos(angle), sine = sin(angle);
    const double x = last_column(images) / 2, y = last_row(images) / 2;
    return sampled(images, {cosine, -sine, x - x * cosine + y * sine, sine, cosine,
                            y - x * sine - y * cosine});
  }

 private:
  std::pair<double, double> range() const { return bounds("factor", options_.factor, -1, 1); }
};

class RandomZoomBody final : public SamplingLayer<RandomZoomOptions> {
 public:
  using SamplingLayer::SamplingLayer;
  void validate() const {
    SamplingLayer::validate();
    range("height_factor", options_.height_factor);
    if (options_.width_factor) range("width_factor", *options_.width_factor);
  }
  std::string_view class_name() const override { return "RandomZoom"; }

 protected:
  Tensor changed(const Tensor& images) override {
    const Tensor rows = draw(images, range("height_factor", options_.height_factor));
    const Tensor columns =
        options_.width_factor ? draw(images, range("width_factor", *options_.width_factor)) : rows;
    const Tensor zero = rows * 0.0;
    return sampled(images, {columns, zero, (1.0 - columns) * (last_column(images) / 2), zero, rows,
                            (1.0 - rows) * (last_row(images) / 2)});
  }

 private:
  std::pair<double, double> range(const char* what, const NumberOrList& factor) const {
    const auto [low, high] = bounds(what, factor, -1, 1);
    return {1 + low, 1 + high};
  }
};

class RandomTranslationBody final : public SamplingLayer<RandomTranslationOptions> {
 public:
  using SamplingLayer::SamplingLayer;
  void validate() const {
    SamplingLayer::validate();
    bounds("height_factor", options_.height_factor, -1, 1);
    bounds("width_factor", options_.width_factor, -1, 1);
  }
  std::string_view class_name() const override { return "RandomTranslation"; }

 protected:
  Tensor changed(const Tensor& images) override {
    const Tensor down = draw(images, bounds("height_factor", options_.height_factor, -1, 1)) *
                        static_cast<double>(height(images));
    const Tensor right = draw(images, bounds("width_factor", options_.width_factor, -1, 1)) *
                         static_cast<double>(width(images));
    const Tensor zero = down * 0.0, one = zero + 1.0;
    return sampled(images, {one, zero, -right, zero, one, -down});
  }
};

class RandomShearBody final : public SamplingLayer<RandomShearOptions> {
 public:
  using SamplingLayer::SamplingLayer;
  void validate() const {
    SamplingLayer::validate();
    bounds("x_factor", options_.x_factor, -1, 1);
    bounds("y_factor", options_.y_factor, -1, 1);
  }
  std::string_view class_name() const override { return "RandomShear"; }

 protected:
  Tensor changed(const Tensor& images) override {
    const Tensor turned = cast(greater(draw(images, {0, 1}), 0.5), DType::float32);
    const Tensor side = 1.0 - 2.0 * turned;
    const Tensor down = draw(images, bounds("y_factor", options_.y_factor, -1, 1)) * side;
    const Tensor across = draw(images, bounds("x_factor", options_.x_factor, -1, 1)) * side;
    const Tensor zero = side * 0.0, one = zero + 1.0;
    return sampled(images, {one, across, zero, down, one, zero});
  }
};

}  // namespace

void describe(Fields& fields, RandomFlipOptions& options) {
  fields.only("data_format", "channels_last").with("seed", options.seed).with("mode", options.mode);
}

void describe(Fields& fields, RandomRotationOptions& options) {
  fields.only("data_format", "channels_last");
  options.factor = as_bounds(options.factor, -1);
  tell(fields, "factor", options.factor);
  fields.with("fill_mode", options.fill_mode)
      .with("fill_value", options.fill_value)
      .with("interpolation", options.interpolation)
      .with("seed", options.seed);
}

void describe(Fields& fields, RandomZoomOptions& options) {
  fields.only("data_format", "channels_last");
  tell(fields, "height_factor", options.height_factor);
  tell(fields, "width_factor", options.width_factor);
  fields.with("fill_mode", options.fill_mode)
      .with("interpolation", options.interpolation)
      .with("seed", options.seed)
      .with("fill_value", options.fill_value);
}

void describe(Fields& fields, RandomTranslationOptions& options) {
  fields.only("data_format", "channels_last");
  tell(fields, "height_factor", options.height_factor);
  tell(fields, "width_factor", options.width_factor);
  fields.with("fill_mode", options.fill_mode)
      .with("interpolation", options.interpolation)
      .with("seed", options.seed)
      .with("fill_value", options.fill_value);
}

void describe(Fields& fields, RandomShearOptions& options) {
  fields.only("data_format", "channels_last");
  options.x_factor = as_bounds(options.x_factor, -1);
  tell(fields, "x_factor", options.x_factor);
  options.y_factor = as_bounds(options.y_factor, -1);
  tell(fields, "y_factor", options.y_factor);
  fields.with("fill_mode", options.fill_mode)
      .with("interpolation", options.interpolation)
      .with("seed", options.seed)
      .with("fill_value", options.fill_value);
}

RandomFlip::RandomFlip(const RandomFlipOptions& options)
    : Layer(make_layer<RandomFlipBody>(options)) {}

RandomRotation::RandomRotation(const RandomRotationOptions& options)
    : Layer(make_layer<RandomRotationBody>(options)) {}

RandomZoom::RandomZoom(const RandomZoomOptions& options)
    : Layer(make_layer<RandomZoomBody>(options)) {}

RandomTranslation::RandomTranslation(const RandomTranslationOptions& options)
    : Layer(make_layer<RandomTranslationBody>(options)) {}

RandomShear::RandomShear(const RandomShearOptions& options)
    : Layer(make_layer<RandomShearBody>(options)) {}

}  // namespace plimsoll
