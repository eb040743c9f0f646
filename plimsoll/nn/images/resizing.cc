#include "plimsoll/nn/images/resizing.h"

#include <algorithm>
#include <array>

#include "plimsoll/nn/images/image_layer.h"
#include "plimsoll/nn/layers/takes_single_images.h"
#include "plimsoll/ops/elementwise/elementwise.h"
#include "plimsoll/ops/images/resize.h"
#include "plimsoll/ops/movement/movement.h"

namespace plimsoll {
namespace {

// The height that belongs to `width` at the aspect ratio of `size`, and the width that belongs to a
// height.
int64_t matching(int64_t length, int64_t wanted, int64_t other) {
  return static_cast<int64_t>(static_cast<float>(length * wanted) / static_cast<float>(other));
}

// The largest middle part of images (batch, height, width, channels) with the aspect ratio of
// `size`, in whole pixels.
Tensor crop_to_aspect_ratio(const Tensor& images, std::array<int64_t, 2> size) {
  const int64_t height = images.shape()[1], width = images.shape()[2];
  const int64_t rows = std::max<int64_t>(std::min(height, matching(width, size[0], size[1])), 1);
  const int64_t columns = std::max<int64_t>(std::min(width, matching(height, size[1], size[0])), 1);
  if (rows == height && columns == width) return images;
  return slice(images, {0, (height - rows) / 2, (width - columns) / 2, 0}, {-1, rows, columns, -1});
}

// The images with `fill_value` around, as far as the aspect ratio needs it.
Tensor pad_to_aspect_ratio(const Tensor& images, std::array<int64_t, 2> size, double fill_value) {
  const int64_t height = images.shape()[1], width = images.shape()[2];
  const int64_t rows = std::max<int64_t>(matching(width, size[0], size[1]) - height, 0) / 2;
  const int64_t columns = std::max<int64_t>(matching(height, size[1], size[0]) - width, 0) / 2;
  if (rows == 0 && columns == 0) return images;
  return pad(images, {{0, 0}, {rows, rows}, {columns, columns}, {0, 0}}, fill_value);
}

class ResizingBody final : public ImageLayer<ResizingOptions>, public TakesSingleImages {
 public:
  explicit ResizingBody(const ResizingOptions& options)
      : ImageLayer(options), interpolation_(interpolation_of(options.interpolation)) {}

  void validate() const {
    at_least(1, "height", {options_.height});
    at_least(1, "width", {options_.width});
    if (options_.crop_to_aspect_ratio && options_.pad_to_aspect_ratio)
      refuse("only one of crop_to_aspect_ratio and pad_to_aspect_ratio can be true");
  }
  std::string_view class_name() const override { return "Resizing"; }
  RangeEffect range_effect() const override { return RangeEffect::keeps(); }

  Tensors call(const Tensors& inputs, const CallContext&) override {
    const DType dtype = inputs[0].dtype();
    const std::array<int64_t, 2> size = {options_.height, options_.width};
    Tensor x = as_float(inputs[0]);
    if (options_.crop_to_aspect_ratio) x = crop_to_aspect_ratio(x, size);
    if (options_.pad_to_aspect_ratio) x = pad_to_aspect_ratio(x, size, options_.fill_value);
    const Tensor y = resize(x, size, interpolation_, options_.antialias);
    return {dtype == DType::float32 ? y : cast(round(y), dtype)};
  }

 protected:
  void check(const Specs& inputs) const override { expect_images(inputs); }

 private:
  Interpolation interpolation_;
};

class CenterCropBody final : public ImageLayer<CenterCropOptions>, public TakesSingleImages {
 public:
  using ImageLayer::ImageLayer;
  void validate() const {
    at_least(1, "height", {options_.height});
    at_least(1, "width", {options_.width});
  }
  std::string_view class_name() const override { return "CenterCrop"; }
  RangeEffect range_effect() const override { return RangeEffect::keeps(); }

  Tensors call(const Tensors& inputs, const CallContext&) override {
    const Tensor x = as_float(inputs[0]);
    const int64_t rows = x.shape()[1] - options_.height, columns = x.shape()[2] - options_.width;
    const std::array<int64_t, 2> size = {options_.height, options_.width};
    if (rows >= 0 && columns >= 0)
      return {slice(x, {0, rows / 2, columns / 2, 0}, {-1, size[0], size[1], -1})};
    return {resize(crop_to_aspect_ratio(x, size), size, Interpolation::bilinear)};
  }

 protected:
  void check(const Specs& inputs) const override { expect_images(inputs); }
};

}  // namespace

void describe(Fields& fields, ResizingOptions& options) {
  fields.only("data_format", "channels_last")
      .with("height", options.height)
      .with("width", options.width)
      .with("interpolation", options.interpolation)
      .with("crop_to_aspect_ratio", options.crop_to_aspect_ratio)
      .with("pad_to_aspect_ratio", options.pad_to_aspect_ratio)
      .only("fill_mode", "constant")
      .with("fill_value", options.fill_value)
      .with("antialias", options.antialias);
}

void describe(Fields& fields, CenterCropOptions& options) {
  fields.only("data_format", "channels_last")
      .with("height", options.height)
      .with("width", options.width);
}

Resizing::Resizing(const ResizingOptions& options) : Layer(make_layer<ResizingBody>(options)) {}

CenterCrop::CenterCrop(const CenterCropOptions& options)
    : Layer(make_layer<CenterCropBody>(options)) {}

}  // namespace plimsoll
