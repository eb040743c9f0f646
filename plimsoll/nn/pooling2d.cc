#include "plimsoll/nn/pooling2d.h"

#include "plimsoll/nn/fields.h"
#include "plimsoll/nn/make_layer.h"
#include "plimsoll/ops/pooling.h"
#include "plimsoll/ops/reduction.h"

namespace plimsoll {
namespace {

template <class Options>
class ImagesBody : public LayerOf<Options> {
 public:
  using LayerOf<Options>::LayerOf;

 protected:
  void check(const Specs& inputs) const override {
    if (inputs[0].shape.rank() != 4)
      this->refuse("expected images of shape (batch, height, width, channels), found " +
                   inputs[0].shape.to_string());
  }
};

class PoolingBody : public ImagesBody<Pooling2DOptions> {
 public:
  explicit PoolingBody(const Pooling2DOptions& options)
      : ImagesBody(options),
        pooling_{.pool_size = options.pool_size.values(),
                 .strides = options.strides.values(),
                 .padding = padding_of(options.padding)} {}

  void validate() const {
    for (const int64_t size : pooling_.pool_size)
      if (size < 1) refuse("pool_size must be at least 1, found " + std::to_string(size));
    for (const int64_t stride : pooling_.strides)
      if (stride < 0) refuse("strides must be at least 1, found " + std::to_string(stride));
  }

 protected:
  PoolingOptions pooling_;
};

class MaxPoolingBody final : public PoolingBody {
 public:
  using PoolingBody::PoolingBody;
  std::string_view class_name() const override { return "MaxPooling2D"; }
  Tensors call(const Tensors& inputs, const CallContext&) override {
    return {max_pool2d(as_float(inputs[0]), pooling_)};
  }
};

class AveragePoolingBody final : public PoolingBody {
 public:
  using PoolingBody::PoolingBody;
  std::string_view class_name() const override { return "AveragePooling2D"; }
  Tensors call(const Tensors& inputs, const CallContext&) override {
    return {average_pool2d(as_float(inputs[0]), pooling_)};
  }
};

class GlobalAveragePoolingBody final : public ImagesBody<GlobalPooling2DOptions> {
 public:
  using ImagesBody::ImagesBody;
  std::string_view class_name() const override { return "GlobalAveragePooling2D"; }
  Tensors call(const Tensors& inputs, const CallContext&) override {
    return {mean(as_float(inputs[0]), {1, 2}, options_.keepdims)};
  }
};

class GlobalMaxPoolingBody final : public ImagesBody<GlobalPooling2DOptions> {
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
  // Keras writes what it took the place of.
  if (options.strides == Size2D(0)) options.strides = options.pool_size;
  fields.with("strides", options.strides).only("data_format", "channels_last");
}

void describe(Fields& fields, GlobalPooling2DOptions& options) {
  fields.only("data_format", "channels_last").with("keepdims", options.keepdims);
}

MaxPooling2D::MaxPooling2D(const Pooling2DOptions& options)
    : Layer(make_layer<MaxPoolingBody>(options)) {}

AveragePooling2D::AveragePooling2D(const Pooling2DOptions& options)
    : Layer(make_layer<AveragePoolingBody>(options)) {}

GlobalAveragePooling2D::GlobalAveragePooling2D(const GlobalPooling2DOptions& options)
    : Layer(make_layer<GlobalAveragePoolingBody>(options)) {}

GlobalMaxPooling2D::GlobalMaxPooling2D(const GlobalPooling2DOptions& options)
    : Layer(make_layer<GlobalMaxPoolingBody>(options)) {}

}  // namespace plimsoll
