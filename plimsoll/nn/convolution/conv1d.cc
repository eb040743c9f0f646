#include "plimsoll/nn/convolution/conv1d.h"

#include <fmt/format.h>

#include "plimsoll/nn/convolution/conv_layer.h"

namespace plimsoll {
namespace {

class Conv1DBody final : public ImageLayer<Conv1DOptions> {
 public:
  explicit Conv1DBody(const Conv1DOptions& options)
      : ImageLayer(options),
        activation_(options.activation.function()),
        convolution_{.strides = {1, options.strides},
                     .padding = is_causal() ? Padding::valid : padding_of(options.padding),
                     .dilation_rate = {1, options.dilation_rate},
                     .groups = options.groups} {}

  void validate() const {
    at_least(1, "filters", {options_.filters});
    at_least(1, "groups", {options_.groups});
    at_least(1, "kernel_size", {options_.kernel_size});
    at_least(1, "strides", {options_.strides});
    at_least(1, "dilation_rate", {options_.dilation_rate});
    if (options_.filters % options_.groups != 0)
      refuse(fmt::format("{} groups do not divide {} filters", options_.groups, options_.filters));
  }
  std::string_view class_name() const override { return "Conv1D"; }
  RangeEffect range_effect() const override { return RangeEffect::multiplies(); }

  void build(const Specs& inputs) override {
    kernel_ = add_weight(kernel_of(
        {options_.kernel_size, inputs[0].shape.back() / options_.groups, options_.filters}));
    if (options_.use_bias) bias_ = add_weight(bias_of({options_.filters}));
  }

  Tensors call(const Tensors& inputs, const CallContext&) override {
    Tensor x = as_image(as_float(inputs[0]));
    const int64_t before = options_.dilation_rate * (options_.kernel_size - 1);
    if (is_causal() && before > 0) x = pad(x, {{0, 0}, {0, 0}, {before, 0}, {0, 0}});
    const Tensor kernel = as_image_kernel(kernel_);
    const Tensor y = options_.use_bias ? conv2d(x, kernel, bias_, convolution_)
                                       : conv2d(x, kernel, convolution_);
    return {as_rows(activation_(y))};
  }

 protected:
  void check(const Specs& inputs) const override {
    expect_rows(inputs);
    const Shape& shape = inputs[0].shape;
    if (shape.back() % options_.groups != 0)
      refuse(fmt::format("{} groups do not divide the input's {} channels", options_.groups,
                         shape.back()));
    if (built()) expect_channels(shape, kernel_.shape()[1] * options_.groups);
  }

 private:
  bool is_causal() const { return options_.padding == "causal"; }

  ActivationFunction activation_;
  ConvolutionOptions convolution_;
  Variable kernel_, bias_;
};

}  // namespace

void describe(Fields& fields, Conv1DOptions& options) {
  fields.with("filters", options.filters);
  tell_length(fields, "kernel_size", options.kernel_size);
  tell_length(fields, "strides", options.strides);
  fields.with("padding", options.padding).only("data_format", "channels_last");
  tell_length(fields, "dilation_rate", options.dilation_rate);
  fields.with("groups", options.groups);
  describe_conv_weights(fields, options);
}

Conv1D::Conv1D(const Conv1DOptions& options) : Layer(make_layer<Conv1DBody>(options)) {}

}  // namespace plimsoll
