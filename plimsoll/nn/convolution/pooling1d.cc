#include "plimsoll/nn/convolution/pooling1d.h"

#include "plimsoll/nn/images/image_layer.h"
#include "plimsoll/ops/convolution/pooling.h"
#include "plimsoll/ops/elementwise/elementwise.h"
#include "plimsoll/ops/reduction/reduction.h"

namespace plimsoll {
namespace {

class PoolingBody : public ImageLayer<Pooling1DOptions> {
 public:
  explicit PoolingBody(const Pooling1DOptions& options)
      : ImageLayer(options),
        pooling_{.pool_size = {1, options.pool_size},
                 .strides = {1, options.strides},
                 .padding = padding_of(options.padding)} {}
  RangeEffect range_effect() const override { return RangeEffect::keeps(); }

  void validate() const {
    at_least(1, "pool_size", {options_.pool_size});
    at_least(0, "strides", {options_.strides});
  }

 protected:
  void check(const Specs& inputs) const override { expect_rows(inputs); }
  PoolingOptions pooling_;
};

class MaxPoolingBody final : public PoolingBody {
 public:
  using PoolingBody::PoolingBody;
  std::string_view class_name() const override { return "MaxPooling1D"; }
  Tensors call(const Tensors& inputs, const CallContext&) override {
    return {as_rows(max_pool2d(as_image(as_float(inputs[0])), pooling_))};
  }
};

class AveragePoolingBody final : public PoolingBody {
 public:
  using PoolingBody::PoolingBody;
  std::string_view class_name() const override { return "AveragePooling1D"; }
  Tensors call(const Tensors& inputs, const CallContext&) override {
    return {as_rows(average_pool2d(as_image(as_float(inputs[0])), pooling_))};
  }
};

class GlobalPoolingBody : public ImageLayer<GlobalPooling1DOptions> {
 public:
  using ImageLayer::ImageLayer;
  RangeEffect range_effect() const override { return RangeEffect::keeps(); }

 protected:
  void check(const Specs& inputs) const override { expect_rows(inputs); }
};

class GlobalAveragePoolingBody final : public GlobalPoolingBody {
 public:
  using GlobalPoolingBody::GlobalPoolingBody;
  std::string_view class_name() const override { return "GlobalAveragePooling1D"; }
  bool supports_masking() const override { return true; }
  // There are no steps left to mask.
  Tensors output_masks(const Tensors&, const Tensors&, const Tensors&) const override {
    return {Tensor()};
  }

  Tensors call(const Tensors& inputs, const CallContext& context) override {
    const Tensor x = as_float(inputs[0]);
    if (!context.mask.defined()) return {mean(x, {1}, options_.keepdims)};
    const Tensor mask = expand_dims(context.mask, 2);
    return {sum(select(mask, x, 0.0), {1}, options_.keepdims) /
            sum(cast(mask, DType::float32), {1}, options_.keepdims)};
  }
};

class GlobalMaxPoolingBody final : public GlobalPoolingBody {
 public:
  using GlobalPoolingBody::GlobalPoolingBody;
  std::string_view class_name() const override { return "GlobalMaxPooling1D"; }
  Tensors call(const Tensors& inputs, const CallContext&) override {
    return {max(as_float(inputs[0]), {1}, options_.keepdims)};
  }
};

}  // namespace

void describe(Fields& fields, Pooling1DOptions& options) {
  tell_length(fields, "pool_size", options.pool_size);
  fields.with("padding", options.padding);
  // Keras writes the pool size in place of strides that are not set.
  if (options.strides == 0) options.strides = options.pool_size;
  tell_length(fields, "strides", options.strides);
  fields.only("data_format", "channels_last");
}

void describe(Fields& fields, GlobalPooling1DOptions& options) {
  fields.only("data_format", "channels_last").with("keepdims", options.keepdims);
}

MaxPooling1D::MaxPooling1D(const Pooling1DOptions& options)
    : Layer(make_layer<MaxPoolingBody>(options)) {}

AveragePooling1D::AveragePooling1D(const Pooling1DOptions& options)
    : Layer(make_layer<AveragePoolingBody>(options)) {}

GlobalAveragePooling1D::GlobalAveragePooling1D(const GlobalPooling1DOptions& options)
    : Layer(make_layer<GlobalAveragePoolingBody>(options)) {}

GlobalMaxPooling1D::GlobalMaxPooling1D(const GlobalPooling1DOptions& options)
    : Layer(make_layer<GlobalMaxPoolingBody>(options)) {}

}  // namespace plimsoll
