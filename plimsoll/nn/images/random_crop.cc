#include "plimsoll/nn/images/random_crop.h"

#include <algorithm>

#include "plimsoll/nn/images/random_layer.h"
#include "plimsoll/ops/elementwise/elementwise.h"
#include "plimsoll/ops/images/affine_transform.h"

namespace plimsoll {
namespace {

class RandomCropBody final : public RandomLayer<RandomCropOptions> {
 public:
  using RandomLayer::RandomLayer;
  void validate() const {
    at_least(1, "height", {options_.height});
    at_least(1, "width", {options_.width});
  }
  std::string_view class_name() const override { return "RandomCrop"; }

 protected:
  Tensor changed(const Tensor& images) override {
    const int64_t rows = images.shape()[1] - options_.height;
    const int64_t columns = images.shape()[2] - options_.width;
    return rows > 0 && columns > 0 ? random_part(images, rows, columns) : middle(images);
  }

 private:
  // A shift by whole pixels, the same for all images.
  Tensor random_part(const Tensor& images, int64_t rows, int64_t columns) {
    const auto start = [&](int64_t most) {
      return floor(draw_numbers(1, {0, static_cast<double>(most + 1)}));
    };
    const Tensor down = minimum(start(rows), static_cast<double>(rows));
    const Tensor right = minimum(start(columns), static_cast<double>(columns));
    const Tensor zero = down * 0.0, one = zero + 1.0;
    return affine_transform(
        images, concatenate({one, zero, right, zero, one, down, zero, zero}, 1),
        {.size = {options_.height, options_.width}, .interpolation = Interpolation::nearest});
  }

  // The middle part of the images with the wanted aspect ratio, as far as they reach, resized.
  Tensor middle(const Tensor& images) const {
    const int64_t height = images.shape()[1], width = images.shape()[2];
    const auto matching = [](int64_t length, int64_t wanted, int64_t other) {
      return static_cast<int64_t>(static_cast<double>(length * wanted) /
                                  static_cast<double>(other));
    };
    const auto start = [](int64_t length, int64_t wanted) {
      return (length - std::max<int64_t>(std::min(length, wanted), 1)) / 2;
    };
    const int64_t top = start(height, matching(width, options_.height, options_.width));
    const int64_t left = start(width, matching(height, options_.width, options_.height));
    const Tensor part = slice(
        images, {0, top, left, 0},
        {-1, std::min(options_.height, height - top), std::min(options_.width, width - left), -1});
    return resize(part, {options_.height, options_.width}, Interpolation::bilinear);
  }
};

}  // namespace

void describe(Fields& fields, RandomCropOptions& options) {
  fields.only("data_format", "channels_last")
      .with("height", options.height)
      .with("width", options.width)
      .with("seed", options.seed);
}

RandomCrop::RandomCrop(const RandomCropOptions& options)
    : Layer(make_layer<RandomCropBody>(options)) {}

}  // namespace plimsoll
