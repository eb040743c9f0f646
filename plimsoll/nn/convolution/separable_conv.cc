#include "plimsoll/nn/convolution/separable_conv.h"

#include "plimsoll/nn/convolution/depthwise_layer.h"
#include "plimsoll/ops/elementwise/activations.h"

namespace plimsoll {
namespace {

template <class Options>
class SeparableConvBody final : public DepthwiseLayer<Options> {
  using DepthwiseLayer<Options>::options_;
  using DepthwiseLayer<Options>::kRows;

 public:
  explicit SeparableConvBody(const Options& options)
      : DepthwiseLayer<Options>(options), activation_(options.activation.function()) {}

  void validate() const {
    this->at_least(1, "filters", {options_.filters});
    DepthwiseLayer<Options>::validate();
  }
  std::string_view class_name() const override {
    return kRows ? "SeparableConv1D" : "SeparableConv2D";
  }

  void build(const Specs& inputs) override {
    const int64_t channels = inputs[0].shape.back(), between = channels * options_.depth_multiplier;
    depthwise_ = this->add_weight({.name = "depthwise_kernel",
                                   .shape = this->kernel_shape(channels),
                                   .initializer = options_.depthwise_initializer,
                                   .regularizer = options_.depthwise_regularizer,
                                   .constraint = options_.depthwise_constraint});
    pointwise_ = this->add_weight({.name = "pointwise_kernel",
                                   .shape = kRows ? Shape{1, between, options_.filters}
                                                  : Shape{1, 1, between, options_.filters},
                                   .initializer = options_.pointwise_initializer,
                                   .regularizer = options_.pointwise_regularizer,
                                   .constraint = options_.pointwise_constraint});
    if (options_.use_bias) bias_ = this->add_weight(this->bias_of({options_.filters}));
  }

  Tensors call(const Tensors& inputs, const CallContext&) override {
    const Tensor given = as_float(inputs[0]), x = kRows ? as_image(given) : given;
    const Tensor between = conv2d(x, this->grouped_kernel(depthwise_), this->convolution());
    const Tensor kernel = kRows ? as_image_kernel(pointwise_) : pointwise_.value();
    const Tensor y =
        activation_(options_.use_bias ? conv2d(between, kernel, bias_) : conv2d(between, kernel));
    return {kRows ? as_rows(y) : y};
  }

 private:
  ActivationFunction activation_;
  Variable depthwise_, pointwise_, bias_;
};

template <class Options>
void describe_separable(Fields& fields, Options& options) {
  fields.with("depth_multiplier", options.depth_multiplier).with("filters", options.filters);
  tell_size(fields, "kernel_size", options.kernel_size);
  tell_size(fields, "strides", options.strides);
  fields.with("padding", options.padding).only("data_format", "channels_last");
  tell_size(fields, "dilation_rate", options.dilation_rate);
  fields.activation("activation", options.activation)
      .with("use_bias", options.use_bias)
      .with("depthwise_initializer", options.depthwise_initializer)
      .with("pointwise_initializer", options.pointwise_initializer)
      .with("bias_initializer", options.bias_initializer)
      .with("depthwise_regularizer", options.depthwise_regularizer)
      .with("pointwise_regularizer", options.pointwise_regularizer)
      .with("bias_regularizer", options.bias_regularizer)
      .with("activity_regularizer", options.activity_regularizer)
      .with("depthwise_constraint", options.depthwise_constraint)
      .with("pointwise_constraint", options.pointwise_constraint)
      .with("bias_constraint", options.bias_constraint)
      .ignored("groups")  // these an older Keras writes
      .ignored("kernel_initializer")
      .ignored("kernel_regularizer")
      .ignored("kernel_constraint");
}

}  // namespace

void describe(Fields& fields, SeparableConv2DOptions& options) {
  describe_separable(fields, options);
}
void describe(Fields& fields, SeparableConv1DOptions& options) {
  describe_separable(fields, options);
}

SeparableConv2D::SeparableConv2D(const SeparableConv2DOptions& options)
    : Layer(make_layer<SeparableConvBody<SeparableConv2DOptions>>(options)) {}

SeparableConv1D::SeparableConv1D(const SeparableConv1DOptions& options)
    : Layer(make_layer<SeparableConvBody<SeparableConv1DOptions>>(options)) {}

}  // namespace plimsoll
