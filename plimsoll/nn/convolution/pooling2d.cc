#include "plimsoll/nn/convolution/pooling2d.h"

#include <fmt/format.h>

#include "plimsoll/nn/keras/fields.h"
#include "plimsoll/nn/layers/make_layer.h"
#include "plimsoll/ops/convolution/pooling.h"
#include "plimsoll/ops/reduction/reduction.h"

namespace plimsoll {
namespace {

template <class Options>
class ImagesBody : public LayerOf<Options> {
 public:
  using LayerOf<Options>::LayerOf;
  RangeEffect range_effect() const override { return RangeEffect::keeps(); }

 protected:
  void check(const Specs& inputs) const override {
    if (inputs[0].shape.rank() != 4)
      this->refuse("expected images of shape (batch, height, width, channels), found " +
                   inputs[0].shape.to_string());
  }
};

class Pooling2DBody : public ImagesBody<Pooling2DOptions> {
 public:
  explicit Pooling2DBody(const Pooling2DOptions& options)
      : ImagesBody(options),
        pooling_{.pool_size = options.pool_size.values(),
                 .strides = options.strides.values(),
                 .padding = padding_of(options.padding)} {}

  void validate() const {
    for (const int64_t size : pooling_.pool_size)
      if (size < 1) refuse(fmt::format("pool_size must be at least 1, found {}", size));
    for (const int64_t stride : pooling_.strides)
      if (stride < 0) refuse(fmt::format("strides must be at least 1, found {}", stride));
  }

 protected:
  PoolingOptions pooling_;
};

class MaxPooling2DBody final : public Pooling2DBody {
 public:
  using Pooling2DBody::Pooling2DBody;
  std::string_view class_name() const override { return "MaxPooling2D"; }
  Tensors call(const Tensors& inputs, const CallContext&) override {
    return {max_pool2d(as_float(inputs[0]), pooling_)};
  }
};

class AveragePooling2DBody final : public Pooling2DBody {
 public:
  using Pooling2DBody::Pooling2DBody;
  std::string_view class_name() const override { return "AveragePooling2D"; }
  Tensors call(const Tensors& inputs, const CallContext&) override {
    return {average_pool2d(as_float(inputs[0]), pooling_)};
  }
};

class GlobalAveragePooling2DBody final : public ImagesBody<GlobalPooling2DOptions> {
 public:
  using ImagesBody::ImagesBody;
  std::string_view class_name() const override { return "GlobalAveragePooling2D"; }
  Tensors call(const Tensors& inputs, const CallContext&) override {
    return {mean(as_float(inputs[0]), {1, 2}, options_.keepdims)};
  }
};

class GlobalMaxPooling2DBody final : public ImagesBody<GlobalPooling2DOptions> {
 public:
  using ImagesBody::ImagesBody;
  std::string_view class_name() const override { return "GlobalMaxPooling2D"; }
  Tensors call(const Tensors& inputs, const CallContext&) override {
    return {max(as_float(inputs[0]), {1, 2}, options_.keepdims)};
  }
};

}  // namespace

void describe(Fields& fields, Pooling2DOptions& options) {
  fields.with("pool_size", options.pool_size).with("padding", options.padding);
  // Keras writes the pool size in place of strides that are not set.
  if (options.strides == Size2D(0)) options.strides = options.pool_size;
  fields.with("strides", options.strides).only("data_format", "channels_last");
}

void describe(Fields& fields, GlobalPooling2DOptions& options) {
  fields.only("data_format", "channels_last").with("keepdims", options.keepdims);
}

MaxPooling2D::MaxPooling2D(const Pooling2DOptions& options)
    : Layer(make_layer<MaxPooling2DBody>(options)) {}

AveragePooling2D::AveragePooling2D(const Pooling2DOptions& options)
    : Layer(make_layer<AveragePooling2DBody>(options)) {}

GlobalAveragePooling2D::GlobalAveragePooling2D(const GlobalPooling2DOptions& options)
    : Layer(make_layer<GlobalAveragePooling2DBody>(options)) {}

GlobalMaxPooling2D::GlobalMaxPooling2D(const GlobalPooling2DOptions& options)
    : Layer(make_layer<GlobalMaxPooling2DBody>(options)) {}

}  // namespace plimsoll
