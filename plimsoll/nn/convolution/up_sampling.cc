#include "plimsoll/nn/convolution/up_sampling.h"

#include "plimsoll/nn/images/image_layer.h"
#include "plimsoll/ops/images/resize.h"

namespace plimsoll {
namespace {

class UpSampling2DBody final : public ImageLayer<UpSampling2DOptions> {
 public:
  explicit UpSampling2DBody(const UpSampling2DOptions& options)
      : ImageLayer(options), interpolation_(interpolation_of(options.interpolation)) {}

  void validate() const { at_least(1, "size", {options_.size.height, options_.size.width}); }
  std::string_view class_name() const override { return "UpSampling2D"; }
  RangeEffect range_effect() const override { return RangeEffect::keeps(); }
  Tensors call(const Tensors& inputs, const CallContext&) override {
    const Shape& shape = inputs[0].shape();
    return {resize(as_float(inputs[0]),
                   {shape[1] * options_.size.height, shape[2] * options_.size.width},
                   interpolation_)};
  }

 protected:
  void check(const Specs& inputs) const override { expect_images(inputs); }

 private:
  Interpolation interpolation_;
};

class UpSampling1DBody final : public ImageLayer<UpSampling1DOptions> {
 public:
  using ImageLayer::ImageLayer;
  void validate() const { at_least(1, "size", {options_.size}); }
  std::string_view class_name() const override { return "UpSampling1D"; }
  RangeEffect range_effect() const override { return RangeEffect::keeps(); }
  Tensors call(const Tensors& inputs, const CallContext&) override {
    return {as_rows(resize(as_image(as_float(inputs[0])), {1, inputs[0].shape()[1] * options_.size},
                           Interpolation::nearest))};
  }

 protected:
  void check(const Specs& inputs) const override { expect_rows(inputs); }
};

class UpSampling3DBody final : public ImageLayer<UpSampling3DOptions> {
 public:
  using ImageLayer::ImageLayer;
  void validate() const {
    at_least(1, "size", {options_.size.depth, options_.size.height, options_.size.width});
  }
  std::string_view class_name() const override { return "UpSampling3D"; }
  RangeEffect range_effect() const override { return RangeEffect::keeps(); }
  // Along the depth, then each slice.
  Tensors call(const Tensors& inputs, const CallContext&) override {
    const Shape& shape = inputs[0].shape();
    const auto [depth, height, width] = options_.size.values();
    const Tensor slices =
        as_image_per_slice(resize(as_depth_image(as_float(inputs[0])),
                                  {shape[1] * depth, shape[2] * shape[3]}, Interpolation::nearest),
                           shape[2]);
    const Tensor y = resize(slices, {shape[2] * height, shape[3] * width}, Interpolation::nearest);
    return {as_volumes(y, shape[1] * depth)};
  }

 protected:
  void check(const Specs& inputs) const override { expect_volumes(inputs); }
};

}  // namespace

void describe(Fields& fields, UpSampling2DOptions& options) {
  fields.with("size", options.size)
      .only("data_format", "channels_last")
      .with("interpolation", options.interpolation);
}

void describe(Fields& fields, UpSampling1DOptions& options) {
  fields.with("size", options.size);
}

void describe(Fields& fields, UpSampling3DOptions& options) {
  tell_size(fields, "size", options.size);
  fields.only("data_format", "channels_last");
}

UpSampling2D::UpSampling2D(const UpSampling2DOptions& options)
    : Layer(make_layer<UpSampling2DBody>(options)) {}

UpSampling1D::UpSampling1D(const UpSampling1DOptions& options)
    : Layer(make_layer<UpSampling1DBody>(options)) {}

UpSampling3D::UpSampling3D(const UpSampling3DOptions& options)
    : Layer(make_layer<UpSampling3DBody>(options)) {}

}  // namespace plimsoll
