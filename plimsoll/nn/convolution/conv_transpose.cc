#include "plimsoll/nn/convolution/conv_transpose.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "plimsoll/nn/images/image_layer.h"
#include "plimsoll/ops/convolution/convolution_gradients.h"
#include "plimsoll/ops/elementwise/activations.h"
#include "plimsoll/ops/normalization/bias_add.h"

namespace plimsoll {
namespace {

using Pair = std::array<int64_t, 2>;

// Height first; the height of a layer over rows is 1.
struct Geometry {
  Pair size, strides, dilation_rate;
  std::optional<Pair> output_padding;
};

Geometry geometry(const Conv2DTransposeOptions& o) {
  Geometry g{o.kernel_size.values(), o.strides.values(), o.dilation_rate.values(), {}};
  if (o.output_padding) g.output_padding = o.output_padding->values();
  return g;
}
Geometry geometry(const Conv1DTransposeOptions& o) {
  Geometry g{{1, o.kernel_size}, {1, o.strides}, {1, o.dilation_rate}, {}};
  if (o.output_padding) g.output_padding = Pair{0, *o.output_padding};
  return g;
}

template <class Options>
class ConvTransposeBody final : public ImageLayer<Options> {
  using ImageLayer<Options>::options_;
  using ImageLayer<Options>::refuse;
  static constexpr bool kRows = std::is_same_v<Options, Conv1DTransposeOptions>;

 public:
  explicit ConvTransposeBody(const Options& options)
      : ImageLayer<Options>(options),
        geometry_(geometry(options)),
        padding_(padding_of(options.padding)),
        activation_(options.activation.function()) {}

  void validate() const {
    const Geometry& g = geometry_;
    this->at_least(1, "filters", {options_.filters});
    this->at_least(1, "kernel_size", {g.size[0], g.size[1]});
    this->at_least(1, "strides", {g.strides[0], g.strides[1]});
    this->at_least(1, "dilation_rate", {g.dilation_rate[0], g.dilation_rate[1]});
    if (std::ranges::max(g.strides) > 1 && std::ranges::max(g.dilation_rate) > 1)
      refuse("strides and dilation_rate cannot both be above 1");
    if (!g.output_padding) return;
    this->at_least(0, "output_padding", {(*g.output_padding)[0], (*g.output_padding)[1]});
    for (size_t i = kRows ? 1 : 0; i < 2; ++i)
      if ((*g.output_padding)[i] >= g.strides[i])
        refuse(fmt::format("output_padding must be less than strides, found {} and {}",
                           (*g.output_padding)[i], g.strides[i]));
  }
  std::string_view class_name() const override {
    return kRows ? "Conv1DTranspose" : "Conv2DTranspose";
  }
  RangeEffect range_effect() const override { return RangeEffect::multiplies(); }

  void build(const Specs& inputs) override {
    Shape shape;
    if (!kRows) shape.push_back(geometry_.size[0]);
    for (const int64_t dim : {geometry_.size[1], options_.filters, inputs[0].shape.back()})
      shape.push_back(dim);
    kernel_ = this->add_weight({.name = "kernel",
                                .shape = shape,
                                .initializer = options_.kernel_initializer,
                                .regularizer = options_.kernel_regularizer,
                                .constraint = options_.kernel_constraint});
    if (options_.use_bias)
      bias_ = this->add_weight({.name = "bias",
                                .shape = {options_.filters},
                                .initializer = options_.bias_initializer,
                                .regularizer = options_.bias_regularizer,
                                .constraint = options_.bias_constraint});
  }

  // What the convolution by this kernel would have made the input of.
  Tensors call(const Tensors& inputs, const CallContext&) override {
    const Tensor given = as_float(inputs[0]), x = kRows ? as_image(given) : given;
    const Tensor kernel = kRows ? as_image_kernel(kernel_) : kernel_.value();
    Tensor y = conv2d_input_gradient(kernel, x, {output_size(x, 0), output_size(x, 1)},
                                     {.strides = geometry_.strides,
                                      .padding = padding_,
                                      .dilation_rate = geometry_.dilation_rate});
    if (options_.use_bias) y = bias_add(y, bias_);
    y = activation_(y);
    return {kRows ? as_rows(y) : y};
  }

 protected:
  void check(const Specs& inputs) const override {
    if (kRows)
      this->expect_rows(inputs);
    else
      this->expect_images(inputs);
    if (this->built()) this->expect_channels(inputs[0].shape, kernel_.shape().back());
  }

 private:
  int64_t output_size(const Tensor& x, size_t axis) const {
    const int64_t input = x.shape()[static_cast<int>(axis) + 1], stride = geometry_.strides[axis];
    const int64_t span = (geometry_.size[axis] - 1) * geometry_.dilation_rate[axis] + 1;
    if (kRows && axis == 0) return 1;
    if (padding_ == Padding::valid)
      return (input - 1) * stride + span +
             (geometry_.output_padding ? (*geometry_.output_padding)[axis]
                                       : std::max(span, stride) - span);
    if (!geometry_.output_padding) return input * stride;
    return (input - 1) * stride + span % 2 + (*geometry_.output_padding)[axis];
  }

  Geometry geometry_;
  Padding padding_;
  ActivationFunction activation_;
  Variable kernel_, bias_;
};

template <class Options>
void describe_weights(Fields& fields, Options& options) {
  fields.activation("activation", options.activation)
      .with("use_bias", options.use_bias)
      .with("kernel_initializer", options.kernel_initializer)
      .with("bias_initializer", options.bias_initializer)
      .with("kernel_regularizer", options.kernel_regularizer)
      .with("bias_regularizer", options.bias_regularizer)
      .with("activity_regularizer", options.activity_regularizer)
      .with("kernel_constraint", options.kernel_constraint)
      .with("bias_constraint", options.bias_constraint)
      .ignored("groups");  // which an older Keras writes, always 1
}

// A list, or null if it is not set.
template <class Value, class Tell>
void tell_output_padding(Fields& fields, std::optional<Value>& value, const Tell& tell) {
  if (fields.reading() ? !fields.has("output_padding") : !value) {
    fields.only_null("output_padding");
    return;
  }
  Value padding = value.value_or(Value(0));
  tell(padding);
  value = padding;
}

}  // namespace

void describe(Fields& fields, Conv2DTransposeOptions& options) {
  fields.with("filters", options.filters)
      .with("kernel_size", options.kernel_size)
      .with("strides", options.strides)
      .with("padding", options.padding);
  tell_output_padding(fields, options.output_padding,
                      [&](Size2D& padding) { fields.with("output_padding", padding); });
  fields.only("data_format", "channels_last").with("dilation_rate", options.dilation_rate);
  describe_weights(fields, options);
}

void describe(Fields& fields, Conv1DTransposeOptions& options) {
  fields.with("filters", options.filters);
  tell_length(fields, "kernel_size", options.kernel_size);
  tell_length(fields, "strides", options.strides);
  fields.with("padding", options.padding);
  tell_output_padding(fields, options.output_padding,
                      [&](int64_t& padding) { tell_length(fields, "output_padding", padding); });
  fields.only("data_format", "channels_last");
  tell_length(fields, "dilation_rate", options.dilation_rate);
  describe_weights(fields, options);
}

Conv2DTranspose::Conv2DTranspose(const Conv2DTransposeOptions& options)
    : Layer(make_layer<ConvTransposeBody<Conv2DTransposeOptions>>(options)) {}

Conv1DTranspose::Conv1DTranspose(const Conv1DTransposeOptions& options)
    : Layer(make_layer<ConvTransposeBody<Conv1DTransposeOptions>>(options)) {}

}  // namespace plimsoll
