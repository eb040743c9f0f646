#include "plimsoll/nn/pooling2d.h"

#include "plimsoll/nn/make_layer.h"
#include "plimsoll/ops/pooling.h"
#include "plimsoll/ops/reduction.h"

namespace plimsoll {
namespace {

class ImagesBody : public LayerBody {
 protected:
  void check(const Specs& inputs) const override {
    if (inputs[0].shape.rank() != 4)
      refuse("expected images of shape (batch, height, width, channels), found " +
             inputs[0].shape.to_string());
  }
};

class PoolingBody : public ImagesBody {
 public:
  explicit PoolingBody(const Pooling2DOptions& options)
      : pooling_{.pool_size = options.pool_size.values(),
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
  Tensors call(const Tensors& inputs, const CallOptions&) override {
    return {max_pool2d(as_float(inputs[0]), pooling_)};
  }
};

class AveragePoolingBody final : public PoolingBody {
 public:
  using PoolingBody::PoolingBody;
  std::string_view class_name() const override { return "AveragePooling2D"; }
  Tensors call(const Tensors& inputs, const CallOptions&) override {
    return {average_pool2d(as_float(inputs[0]), pooling_)};
  }
};

class GlobalAveragePoolingBody final : public ImagesBody {
 public:
  explicit GlobalAveragePoolingBody(const GlobalPooling2DOptions& options)
      : keepdims_(options.keepdims) {}
  std::string_view class_name() const override { return "GlobalAveragePooling2D"; }
  Tensors call(const Tensors& inputs, const CallOptions&) override {
    return {mean(as_float(inputs[0]), {1, 2}, keepdims_)};
  }

 private:
  bool keepdims_;
};

class GlobalMaxPoolingBody final : public ImagesBody {
 public:
  explicit GlobalMaxPoolingBody(const GlobalPooling2DOptions& options)
      : keepdims_(options.keepdims) {}
  std::string_view class_name() const override { return "GlobalMaxPooling2D"; }
  Tensors call(const Tensors& inputs, const CallOptions&) override {
    return {max(as_float(inputs[0]), {1, 2}, keepdims_)};
  }

 private:
  bool keepdims_;
};

}  // namespace

MaxPooling2D::MaxPooling2D(const Pooling2DOptions& options)
    : Layer(make_layer<MaxPoolingBody>(options)) {}

AveragePooling2D::AveragePooling2D(const Pooling2DOptions& options)
    : Layer(make_layer<AveragePoolingBody>(options)) {}

GlobalAveragePooling2D::GlobalAveragePooling2D(const GlobalPooling2DOptions& options)
    : Layer(make_layer<GlobalAveragePoolingBody>(options)) {}

GlobalMaxPooling2D::GlobalMaxPooling2D(const GlobalPooling2DOptions& options)
    : Layer(make_layer<GlobalMaxPoolingBody>(options)) {}

}  // namespace plimsoll
