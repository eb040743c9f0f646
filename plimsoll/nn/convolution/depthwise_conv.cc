#include "plimsoll/nn/convolution/depthwise_conv.h"

#include "plimsoll/nn/convolution/depthwise_layer.h"
#include "plimsoll/ops/elementwise/activations.h"

namespace plimsoll {
namespace {

template <class Options>
class DepthwiseConvBody final : public DepthwiseLayer<Options> {
  using DepthwiseLayer<Options>::options_;
  using DepthwiseLayer<Options>::kRows;

 public:
  explicit DepthwiseConvBody(const Options& options)
      : DepthwiseLayer<Options>(options), activation_(options.activation.function()) {}

  std::string_view class_name() const override {
    return kRows ? "DepthwiseConv1D" : "DepthwiseConv2D";
  }

  void build(const Specs& inputs) override {
    const int64_t channels = inputs[0].shape.back();
    kernel_ = this->add_weight({.name = "kernel",
                                .shape = this->kernel_shape(channels),
                                .initializer = options_.depthwise_initializer,
                                .regularizer = options_.depthwise_regularizer,
                                .constraint = options_.depthwise_constraint});
    if (options_.use_bias)
      bias_ = this->add_weight(this->bias_of({channels * options_.depth_multiplier}));
  }

  Tensors call(const Tensors& inputs, const CallContext&) override {
    const Tensor given = as_float(inputs[0]), x = kRows ? as_image(given) : given;
    const Tensor kernel = this->grouped_kernel(kernel_);
    const Tensor y = activation_(options_.use_bias ? conv2d(x, kernel, bias_, this->convolution())
                                                   : conv2d(x, kernel, this->convolution()));
    return {kRows ? as_rows(y) : y};
  }

 private:
  ActivationFunction activation_;
  Variable kernel_, bias_;
};

template <class Options>
void describe_depthwise(Fields& fields, Options& options) {
  fields.with("depth_multiplier", options.depth_multiplier);
  tell_size(fields, "kernel_size", options.kernel_size);
  tell_size(fields, "strides", options.strides);
  fields.with("padding", options.padding).only("data_format", "channels_last");
  tell_size(fields, "dilation_rate", options.dilation_rate);
  fields.activation("activation", options.activation)
      .with("use_bias", options.use_bias)
      .with("depthwise_initializer", options.depthwise_initializer)
      .with("bias_initializer", options.bias_initializer)
      .with("depthwise_regularizer", options.depthwise_regularizer)
      .with("bias_regularizer", options.bias_regularizer)
      .with("activity_regularizer", options.activity_regularizer)
      .with("depthwise_constraint", options.depthwise_constraint)
      .with("bias_constraint", options.bias_constraint)
      .ignored("groups");  // which an older Keras writes, always 1
}

}  // namespace

void describe(Fields& fields, DepthwiseConv2DOptions& options) {
  describe_depthwise(fields, options);
}
void describe(Fields& fields, DepthwiseConv1DOptions& options) {
  describe_depthwise(fields, options);
}

DepthwiseConv2D::DepthwiseConv2D(const DepthwiseConv2DOptions& options)
    : Layer(make_layer<DepthwiseConvBody<DepthwiseConv2DOptions>>(options)) {}

DepthwiseConv1D::DepthwiseConv1D(const DepthwiseConv1DOptions& options)
    : Layer(make_layer<DepthwiseConvBody<DepthwiseConv1DOptions>>(options)) {}

}  // namespace plimsoll
