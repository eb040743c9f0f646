#include "plimsoll/nn/convolution/conv_transpose.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "plimsoll/nn/convolution/conv_layer.h"
#include "plimsoll/ops/convolution/convolution_gradients.h"
#include "plimsoll/ops/elementwise/activations.h"
#include "plimsoll/ops/normalization/bias_add.h"

namespace plimsoll {
namespace {

// Depth and height first; the height of a layer over rows is 1.
template <size_t kAxes>
struct Geometry {
  PerAxis<kAxes> size, strides, dilation_rate;
  std::optional<PerAxis<kAxes>> output_padding;
};

template <class Options>
auto geometry(const Options& o) {
  constexpr size_t kAxes = decltype(o.kernel_size.values()){}.size();
  Geometry<kAxes> g{o.kernel_size.values(), o.strides.values(), o.dilation_rate.values(), {}};
  if (o.output_padding) g.output_padding = o.output_padding->values();
  return g;
}
Geometry<2> geometry(const Conv1DTransposeOptions& o) {
  Geometry<2> g{{1, o.kernel_size}, {1, o.strides}, {1, o.dilation_rate}, {}};
  if (o.output_padding) g.output_padding = PerAxis<2>{0, *o.output_padding};
  return g;
}

template <class Options>
class ConvTransposeBody final : public ImageLayer<Options> {
  using ImageLayer<Options>::options_;
  using ImageLayer<Options>::refuse;
  static constexpr bool kRows = std::is_same_v<Options, Conv1DTransposeOptions>;
  static constexpr size_t kAxes = std::is_same_v<Options, Conv3DTransposeOptions> ? 3 : 2;

 public:
  explicit ConvTransposeBody(const Options& options)
      : ImageLayer<Options>(options),
        geometry_(geometry(options)),
        padding_(padding_of(options.padding)),
        activation_(options.activation.function()) {}

  void validate() const {
    const Geometry<kAxes>& g = geometry_;
    this->at_least(1, "filters", {options_.filters});
    this->at_least(1, "kernel_size", {std::ranges::min(g.size)});
    this->at_least(1, "strides", {std::ranges::min(g.strides)});
    this->at_least(1, "dilation_rate", {std::ranges::min(g.dilation_rate)});
    if (std::ranges::max(g.strides) > 1 && std::ranges::max(g.dilation_rate) > 1)
      refuse("strides and dilation_rate cannot both be above 1");
    if (!g.output_padding) return;
    this->at_least(0, "output_padding", {std::ranges::min(*g.output_padding)});
    for (size_t i = kRows ? 1 : 0; i < kAxes; ++i)
      if ((*g.output_padding)[i] >= g.strides[i])
        refuse(fmt::format("output_padding must be less than strides, found {} and {}",
                           (*g.output_padding)[i], g.strides[i]));
  }
  std::string_view class_name() const override {
    return kRows ? "Conv1DTranspose" : kAxes == 2 ? "Conv2DTranspose" : "Conv3DTranspose";
  }
  RangeEffect range_effect() const override { return RangeEffect::multiplies(); }

  void build(const Specs& inputs) override {
    Shape shape;
    for (size_t i = kRows ? 1 : 0; i < kAxes; ++i) shape.push_back(geometry_.size[i]);
    shape.push_back(options_.filters);
    shape.push_back(inputs[0].shape.back());
    kernel_ = this->add_weight(this->kernel_of(shape));
    if (options_.use_bias) bias_ = this->add_weight(this->bias_of({options_.filters}));
  }

  // What the convolution by this kernel would have made the input of.
  Tensors call(const Tensors& inputs, const CallContext&) override {
    const Tensor given = as_float(inputs[0]), x = kRows ? as_image(given) : given;
    const Tensor kernel = kRows ? as_image_kernel(kernel_) : kernel_.value();
    PerAxis<kAxes> size;
    for (size_t i = 0; i < kAxes; ++i) size[i] = output_size(x, i);
    Tensor y = convolution_input_gradient<kAxes>(kernel, x, size,
                                                 {.strides = geometry_.strides,
                                                  .padding = padding_,
                                                  .dilation_rate = geometry_.dilation_rate});
    if (options_.use_bias) y = bias_add(y, bias_);
    y = activation_(y);
    return {kRows ? as_rows(y) : y};
  }

 protected:
  void check(const Specs& inputs) const override {
    if constexpr (kRows)
      this->expect_rows(inputs);
    else if constexpr (kAxes == 2)
      this->expect_images(inputs);
    else
      this->expect_volumes(inputs);
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

  Geometry<kAxes> geometry_;
  Padding padding_;
  ActivationFunction activation_;
  Variable kernel_, bias_;
};

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
  describe_conv_weights(fields, options);
  fields.ignored("groups");  // which an older Keras writes, always 1
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
  describe_conv_weights(fields, options);
  fields.ignored("groups");  // which an older Keras writes, always 1
}

void describe(Fields& fields, Conv3DTransposeOptions& options) {
  fields.with("filters", options.filters);
  tell_size(fields, "kernel_size", options.kernel_size);
  tell_size(fields, "strides", options.strides);
  fields.with("padding", options.padding);
  tell_output_padding(fields, options.output_padding,
                      [&](Size3D& padding) { tell_size(fields, "output_padding", padding); });
  fields.only("data_format", "channels_last");
  tell_size(fields, "dilation_rate", options.dilation_rate);
  describe_conv_weights(fields, options);
  fields.ignored("groups");
}

Conv2DTranspose::Conv2DTranspose(const Conv2DTransposeOptions& options)
    : Layer(make_layer<ConvTransposeBody<Conv2DTransposeOptions>>(options)) {}

Conv1DTranspose::Conv1DTranspose(const Conv1DTransposeOptions& options)
    : Layer(make_layer<ConvTransposeBody<Conv1DTransposeOptions>>(options)) {}

Conv3DTranspose::Conv3DTranspose(const Conv3DTransposeOptions& options)
    : Layer(make_layer<ConvTransposeBody<Conv3DTransposeOptions>>(options)) {}

}  // namespace plimsoll
