#include "plimsoll/nn/convolution/conv2d.h"

#include "plimsoll/nn/convolution/conv_layer.h"

namespace plimsoll {

void describe(Fields& fields, Conv2DOptions& options) {
  fields.with("filters", options.filters)
      .with("kernel_size", options.kernel_size)
      .with("strides", options.strides)
      .with("padding", options.padding)
      .only("data_format", "channels_last")
      .with("dilation_rate", options.dilation_rate)
      .with("groups", options.groups);
  describe_conv_weights(fields, options);
}

Conv2D::Conv2D(const Conv2DOptions& options)
    : Layer(make_layer<ConvLayer<Conv2DOptions>>(options)) {}

}  // namespace plimsoll
