#include "plimsoll/nn/convolution/conv2d.h"

#include <fmt/format.h>

#include "plimsoll/nn/keras/fields.h"
#include "plimsoll/nn/layers/make_layer.h"
#include "plimsoll/ops/elementwise/activations.h"

namespace plimsoll {
namespace {

std::string channels_text(int64_t count) {
  return std::to_string(count) + (count == 1 ? " channel" : " channels");
}

class Conv2DBody final : public LayerOf<Conv2DOptions> {
 public:
  explicit Conv2DBody(const Conv2DOptions& options)
      : LayerOf(options),
        activation_(options.activation.function()),
        convolution_{.strides = options.strides.values(),
                     .padding = padding_of(options.padding),
                     .dilation_rate = options.dilation_rate.values(),
                     .groups = options.groups} {}

  void validate() const {
    const auto positive = [&](const char* what, int64_t value) {
      if (value < 1) refuse(fmt::format("{} must be at least 1, found {}", what, value));
    };
    positive("filters", options_.filters);
    positive("groups", options_.groups);
    for (const int64_t size : options_.kernel_size.values()) positive("kernel_size", size);
    for (const int64_t stride : options_.strides.values()) positive("strides", stride);
    for (const int64_t rate : options_.dilation_rate.values()) positive("dilation_rate", rate);
    if (options_.filters % options_.groups != 0)
      refuse(fmt::format("{} groups do not divide {} filters", options_.groups, options_.filters));
  }
  std::string_view class_name() const override { return "Conv2D"; }
  RangeEffect range_effect() const override { return RangeEffect::multiplies(); }

  void build(const Specs& inputs) override {
    const int64_t channels = inputs[0].shape.back();
    kernel_ = add_weight({.name = "kernel",
                          .shape = {options_.kernel_size.height, options_.kernel_size.width,
                                    channels / options_.groups, options_.filters},
                          .initializer = options_.kernel_initializer,
                          .regularizer = options_.kernel_regularizer,
                          .constraint = options_.kernel_constraint});
    if (options_.use_bias)
      bias_ = add_weight({.name = "bias",
                          .shape = {options_.filters},
                          .initializer = options_.bias_initializer,
                          .regularizer = options_.bias_regularizer,
                          .constraint = options_.bias_constraint});
  }

  Tensors call(const Tensors& inputs, const CallContext&) override {
    const Tensor x = as_float(inputs[0]);
    return {activation_(options_.use_bias ? conv2d(x, kernel_, bias_, convolution_)
                                          : conv2d(x, kernel_, convolution_))};
  }

 protected:
  void check(const Specs& inputs) const override {
    const Shape& shape = inputs[0].shape;
    if (shape.rank() != 4)
      refuse("expected images of shape (batch, height, width, channels), found " +
             shape.to_string());
    const int64_t channels = shape.back();
    if (channels % options_.groups != 0)
      refuse(fmt::format("{} groups do not divide the input's {}", options_.groups,
                         channels_text(channels)));
    const int64_t expected = built() ? kernel_.shape()[2] * options_.groups : channels;
    if (channels != expected)
      refuse(fmt::format("input has {}, kernel expects {} (found shape {})",
                         channels_text(channels), expected, shape.to_string()));
  }

 private:
  ActivationFunction activation_;
  ConvolutionOptions convolution_;
  Variable kernel_, bias_;
};

}  // namespace

void describe(Fields& fields, Conv2DOptions& options) {
  fields.with("filters", options.filters)
      .with("kernel_size", options.kernel_size)
      .with("strides", options.strides)
      .with("padding", options.padding)
      .only("data_format", "channels_last")
      .with("dilation_rate", options.dilation_rate)
      .with("groups", options.groups)
      .activation("activation", options.activation)
      .with("use_bias", options.use_bias)
      .with("kernel_initializer", options.kernel_initializer)
      .with("bias_initializer", options.bias_initializer)
      .with("kernel_regularizer", options.kernel_regularizer)
      .with("bias_regularizer", options.bias_regularizer)
      .with("activity_regularizer", options.activity_regularizer)
      .with("kernel_constraint", options.kernel_constraint)
      .with("bias_constraint", options.bias_constraint);
}

Conv2D::Conv2D(const Conv2DOptions& options) : Layer(make_layer<Conv2DBody>(options)) {}

}  // namespace plimsoll
