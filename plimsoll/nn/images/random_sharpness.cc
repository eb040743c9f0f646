#include "plimsoll/nn/images/random_sharpness.h"

#include <numeric>

#include "plimsoll/nn/images/color_layer.h"
#include "plimsoll/ops/convolution/convolution.h"
#include "plimsoll/ops/linear/linear.h"
#include "plimsoll/ops/reduction/reduction.h"

namespace plimsoll {
namespace {

// Each channel convolved by the same kernel (rows, columns).
Tensor smoothed(const Tensor& images, const Tensor& kernel) {
  const int64_t channels = images.shape().back();
  const Shape& size = kernel.shape();
  const Tensor each =
      broadcast_to(reshape(kernel, {size[0], size[1], 1, 1}), {size[0], size[1], 1, channels});
  return conv2d(images, each, {.padding = Padding::same, .groups = channels});
}

// 0, 1, 2, …, as floats.
Tensor count_up(int64_t count, const Shape& shape) {
  std::vector<float> numbers(static_cast<size_t>(count));
  std::iota(numbers.begin(), numbers.end(), 0.0f);
  return constant(numbers, shape);
}

class RandomSharpnessBody final : public ColorLayer<RandomSharpnessOptions> {
 public:
  using ColorLayer::ColorLayer;
  std::string_view class_name() const override { return "RandomSharpness"; }

 protected:
  std::pair<double, double> factor() const override {
    return bounds("factor", options_.factor, 0, 1);
  }
  Tensor changed(const Tensor& images) override {
    const Tensor sharpness = draw_for_pixels(images, factor()) * 2.0;
    std::vector<float> weights(9, 1.0f / 13.0f);
    weights[4] = 5.0f / 13.0f;
    const Tensor smooth = smoothed(images, constant(weights, {3, 3}));
    return clip(images + (1.0 - sharpness) * (smooth - images), lowest(), highest());
  }
};

class RandomGaussianBlurBody final : public ColorLayer<RandomGaussianBlurOptions> {
 public:
  using ColorLayer::ColorLayer;
  void validate() const {
    ColorLayer::validate();
    bounds("sigma", options_.sigma, 0, 1);
    for (const double size : options_.kernel_size.values)
      if (!(size >= 1 && size <= 999) || static_cast<int64_t>(size) % 2 == 0 ||
          options_.kernel_size.values.size() > 2)
        refuse(fmt::format("kernel_size must be an odd number, or two of them, found {}", size));
  }
  std::string_view class_name() const override { return "RandomGaussianBlur"; }

 protected:
  std::pair<double, double> factor() const override {
    return bounds("factor", options_.factor, 0, 1);
  }
  Tensor changed(const Tensor& images) override {
    const Tensor is_blurred = chosen(images, factor());
    const Tensor sigma = draw_numbers(2, bounds("sigma", options_.sigma, 0, 1)) + kLeastSigma;
    const auto width = static_cast<int64_t>(options_.kernel_size.values.front());
    const auto height = static_cast<int64_t>(options_.kernel_size.values.back());
    const Tensor kernel = matmul(bell(height, slice(sigma, {1, 0}, {1, 1}), {height, 1}),
                                 bell(width, slice(sigma, {0, 0}, {1, 1}), {1, width}));
    return clip(select(is_blurred, smoothed(images, kernel), images), lowest(), highest());
  }

 private:
  static constexpr double kLeastSigma = 1e-6;

  // A normal distribution over `size` pixels, of sum 1.
  static Tensor bell(int64_t size, const Tensor& sigma, const Shape& shape) {
    const Tensor at = (count_up(size, shape) - static_cast<double>(size - 1) / 2) / sigma;
    const Tensor values = exp(square(at) * -0.5);
    return values / sum(values);
  }
};

class RandomErasingBody final : public ColorLayer<RandomErasingOptions> {
 public:
  using ColorLayer::ColorLayer;
  void validate() const {
    ColorLayer::validate();
    bounds("scale", options_.scale, 0, 1);
  }
  std::string_view class_name() const override { return "RandomErasing"; }

 protected:
  void check(const Specs& inputs) const override {
    expect_images(inputs);
    const auto colors = options_.fill_value ? std::ssize(options_.fill_value->values) : 1;
    if (colors != 1 && colors != inputs[0].shape.back())
      refuse(fmt::format("fill_value has {} numbers, the images are {}", colors,
                         inputs[0].shape.to_string()));
  }
  std::pair<double, double> factor() const override {
    return bounds("factor", options_.factor, 0, 1);
  }
  Tensor changed(const Tensor& images) override {
    const Shape& shape = images.shape();
    const Tensor across = inside(images, shape[2], {1, 1, shape[2], 1});
    const Tensor down = inside(images, shape[1], {1, shape[1], 1, 1});
    const Tensor is_erased = logical_and(logical_and(across, down), chosen(images, factor()));
    return select(is_erased, clip(fill(shape), lowest(), highest()), images);
  }

 private:
  // True for the positions of an axis that are in a drawn part of it, of a drawn length.
  Tensor inside(const Tensor& images, int64_t size, const Shape& axis) {
    const auto pixels = static_cast<double>(size);
    const Tensor length = sqrt(draw_for_pixels(images, bounds("scale", options_.scale, 0, 1)));
    const Tensor start = draw_for_pixels(images, {0, 1}) * (1.0 - length) * pixels;
    const Tensor at = count_up(size, axis);
    return logical_and(greater_equal(at, start), less(at, start + length * pixels));
  }
  Tensor fill(const Shape& shape) {
    if (!options_.fill_value)
      return random_normal(shape, 0, options_.value_range.values[1], draw_state());
    const std::vector<float> colors(options_.fill_value->values.begin(),
                                    options_.fill_value->values.end());
    return constant(colors, {1, 1, 1, std::ssize(colors)});
  }
};

}  // namespace

void describe(Fields& fields, RandomSharpnessOptions& options) {
  describe_color(fields, options, 0);
}
void describe(Fields& fields, RandomGaussianBlurOptions& options) {
  fields.only("data_format", "channels_last");
  options.factor = as_bounds(options.factor, 0);
  tell(fields, "factor", options.factor);
  if (!options.kernel_size.is_list)
    options.kernel_size = {options.kernel_size.values[0], options.kernel_size.values[0]};
  tell(fields, "kernel_size", options.kernel_size);
  options.sigma = as_bounds(options.sigma, 0);
  tell(fields, "sigma", options.sigma);
  tell(fields, "value_range", options.value_range);
  fields.with("seed", options.seed);
}
void describe(Fields& fields, RandomErasingOptions& options) {
  fields.only("data_format", "channels_last");
  options.factor = as_bounds(options.factor, 0);
  tell(fields, "factor", options.factor);
  options.scale = as_bounds(options.scale, 0);
  tell(fields, "scale", options.scale);
  tell(fields, "fill_value", options.fill_value);
  tell(fields, "value_range", options.value_range);
  fields.with("seed", options.seed);
}

RandomSharpness::RandomSharpness(const RandomSharpnessOptions& options)
    : Layer(make_layer<RandomSharpnessBody>(options)) {}
RandomGaussianBlur::RandomGaussianBlur(const RandomGaussianBlurOptions& options)
    : Layer(make_layer<RandomGaussianBlurBody>(options)) {}
RandomErasing::RandomErasing(const RandomErasingOptions& options)
    : Layer(make_layer<RandomErasingBody>(options)) {}

}  // namespace plimsoll
