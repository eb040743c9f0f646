#include "plimsoll/nn/images/resizing.h"

#include "plimsoll/nn/images/aspect_ratio.h"
#include "plimsoll/nn/images/image_layer.h"
#include "plimsoll/ops/elementwise/elementwise.h"
#include "plimsoll/ops/images/resize.h"

namespace plimsoll {
namespace {

class ResizingBody final : public ImageLayer<ResizingOptions> {
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

class CenterCropBody final : public ImageLayer<CenterCropOptions> {
 public:
  using ImageLayer::ImageLayer;
  void validate() const {
    at_least(1, "height", {options_.height});
    at_least(1, "width", {options_.width});
  }
  std::string_view class_name() const override { return "CenterCrop"; }

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
