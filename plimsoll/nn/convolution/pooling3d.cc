#include "plimsoll/nn/convolution/pooling3d.h"

#include "plimsoll/nn/images/image_layer.h"
#include "plimsoll/ops/convolution/pooling.h"
#include "plimsoll/ops/reduction/reduction.h"

namespace plimsoll {
namespace {

template <class Options>
class VolumesBody : public ImageLayer<Options> {
 public:
  using ImageLayer<Options>::ImageLayer;
  RangeEffect range_effect() const override { return RangeEffect::keeps(); }

 protected:
  void check(const Specs& inputs) const override { this->expect_volumes(inputs); }
};

// A maximum or a mean over a box is that over its slices, then over the depth. Of equal maxima the
// first takes the gradient, as over a box.
template <bool kMax>
class Pooling3DBody final : public VolumesBody<Pooling3DOptions> {
 public:
  explicit Pooling3DBody(const Pooling3DOptions& options) : VolumesBody(options) {
    const Padding padding = padding_of(options.padding);
    const Size3D &size = options.pool_size, &strides = options.strides;
    slices_ = {{size.height, size.width}, {strides.height, strides.width}, padding};
    depth_ = {{size.depth, 1}, {strides.depth, 1}, padding};
  }
  void validate() const {
    for (const int64_t size : options_.pool_size.values()) at_least(1, "pool_size", {size});
    for (const int64_t stride : options_.strides.values()) at_least(0, "strides", {stride});
  }
  std::string_view class_name() const override {
    return kMax ? "MaxPooling3D" : "AveragePooling3D";
  }
  Tensors call(const Tensors& inputs, const CallContext&) override {
    const Tensor x = as_float(inputs[0]);
    const Tensor slices = pooled(as_image_per_slice(x, x.shape()[2]), slices_);
    const Tensor y = pooled(as_depth_image(as_volumes(slices, x.shape()[1])), depth_);
    const Shape& size = slices.shape();
    return {reshape(y, {-1, y.shape()[1], size[1], size[2], size[3]})};
  }

 private:
  static Tensor pooled(const Tensor& x, const PoolingOptions& options) {
    return kMax ? max_pool2d(x, options) : average_pool2d(x, options);
  }

  PoolingOptions slices_, depth_;
};

template <bool kMax>
class GlobalPooling3DBody final : public VolumesBody<GlobalPooling3DOptions> {
 public:
  using VolumesBody::VolumesBody;
  std::string_view class_name() const override {
    return kMax ? "GlobalMaxPooling3D" : "GlobalAveragePooling3D";
  }
  Tensors call(const Tensors& inputs, const CallContext&) override {
    const Tensor x = as_float(inputs[0]);
    return {kMax ? max(x, {1, 2, 3}, options_.keepdims) : mean(x, {1, 2, 3}, options_.keepdims)};
  }
};

}  // namespace

void describe(Fields& fields, Pooling3DOptions& options) {
  tell_size(fields, "pool_size", options.pool_size);
  fields.with("padding", options.padding);
  // Keras writes the pool size in place of strides that are not set.
  if (options.strides == Size3D(0)) options.strides = options.pool_size;
  tell_size(fields, "strides", options.strides);
  fields.only("data_format", "channels_last");
}

void describe(Fields& fields, GlobalPooling3DOptions& options) {
  fields.only("data_format", "channels_last").with("keepdims", options.keepdims);
}

MaxPooling3D::MaxPooling3D(const Pooling3DOptions& options)
    : Layer(make_layer<Pooling3DBody<true>>(options)) {}

AveragePooling3D::AveragePooling3D(const Pooling3DOptions& options)
    : Layer(make_layer<Pooling3DBody<false>>(options)) {}

GlobalAveragePooling3D::GlobalAveragePooling3D(const GlobalPooling3DOptions& options)
    : Layer(make_layer<GlobalPooling3DBody<false>>(options)) {}

GlobalMaxPooling3D::GlobalMaxPooling3D(const GlobalPooling3DOptions& options)
    : Layer(make_layer<GlobalPooling3DBody<true>>(options)) {}

}  // namespace plimsoll
