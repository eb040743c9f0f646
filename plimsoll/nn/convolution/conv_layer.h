// What Conv2D and Conv3D share: activation(convolution + bias).
#pragma once

#include <fmt/format.h>

#include <string>

#include "plimsoll/nn/images/image_layer.h"
#include "plimsoll/ops/convolution/convolution.h"
#include "plimsoll/ops/elementwise/activations.h"

namespace plimsoll {

template <class Options>
class ConvLayer : public ImageLayer<Options> {
  static constexpr size_t kAxes = decltype(Options{}.kernel_size.values()){}.size();
  using ImageLayer<Options>::options_;

 public:
  explicit ConvLayer(const Options& options)
      : ImageLayer<Options>(options),
        activation_(options.activation.function()),
        convolution_{.strides = options.strides.values(),
                     .padding = padding_of(options.padding),
                     .dilation_rate = options.dilation_rate.values(),
                     .groups = options.groups} {}

  void validate() const {
    this->at_least(1, "filters", {options_.filters});
    this->at_least(1, "groups", {options_.groups});
    for (const int64_t size : options_.kernel_size.values())
      this->at_least(1, "kernel_size", {size});
    for (const int64_t stride : options_.strides.values()) this->at_least(1, "strides", {stride});
    for (const int64_t rate : options_.dilation_rate.values())
      this->at_least(1, "dilation_rate", {rate});
    if (options_.filters % options_.groups != 0)
      this->refuse(
          fmt::format("{} groups do not divide {} filters", options_.groups, options_.filters));
  }
  std::string_view class_name() const override { return kAxes == 2 ? "Conv2D" : "Conv3D"; }
  RangeEffect range_effect() const override { return RangeEffect::multiplies(); }

  void build(const Specs& inputs) override {
    Shape shape;
    for (const int64_t size : options_.kernel_size.values()) shape.push_back(size);
    shape.push_back(inputs[0].shape.back() / options_.groups);
    shape.push_back(options_.filters);
    kernel_ = this->add_weight(this->kernel_of(shape));
    if (options_.use_bias) bias_ = this->add_weight(this->bias_of({options_.filters}));
  }

  Tensors call(const Tensors& inputs, const CallContext&) override {
    const Tensor x = as_float(inputs[0]);
    if constexpr (kAxes == 2)
      return {activation_(options_.use_bias ? conv2d(x, kernel_, bias_, convolution_)
                                            : conv2d(x, kernel_, convolution_))};
    else
      return {activation_(options_.use_bias ? conv3d(x, kernel_, bias_, convolution_)
                                            : conv3d(x, kernel_, convolution_))};
  }

 protected:
  void check(const Specs& inputs) const override {
    if constexpr (kAxes == 2)
      this->expect_images(inputs);
    else
      this->expect_volumes(inputs);
    const int64_t channels = inputs[0].shape.back();
    if (channels % options_.groups != 0)
      this->refuse(fmt::format("{} groups do not divide the input's {} channel{}", options_.groups,
                               channels, (channels == 1 ? "" : "s")));
    if (this->built())
      this->expect_channels(inputs[0].shape,
                            kernel_.shape()[static_cast<int>(kAxes)] * options_.groups);
  }

 private:
  ActivationFunction activation_;
  ConvolutionOptionsOver<kAxes> convolution_;
  Variable kernel_, bias_;
};

// The fields after the sizes.
template <class Options>
void describe_conv_weights(Fields& fields, Options& options) {
  fields.activation("activation", options.activation)
      .with("use_bias", options.use_bias)
      .with("kernel_initializer", options.kernel_initializer)
      .with("bias_initializer", options.bias_initializer)
      .with("kernel_regularizer", options.kernel_regularizer)
      .with("bias_regularizer", options.bias_regularizer)
      .with("activity_regularizer", options.activity_regularizer)
      .with("kernel_constraint", options.kernel_constraint)
      .with("bias_constraint", options.bias_constraint);
}

}  // namespace plimsoll
