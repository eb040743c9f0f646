#include "plimsoll/nn/convolution/conv3d.h"

#include "plimsoll/nn/convolution/conv_layer.h"

namespace plimsoll {

void describe(Fields& fields, Conv3DOptions& options) {
  fields.with("filters", options.filters);
  tell_size(fields, "kernel_size", options.kernel_size);
  tell_size(fields, "strides", options.strides);
  fields.with("padding", options.padding).only("data_format", "channels_last");
  tell_size(fields, "dilation_rate", options.dilation_rate);
  fields.with("groups", options.groups);
  describe_conv_weights(fields, options);
}

Conv3D::Conv3D(const Conv3DOptions& options)
    : Layer(make_layer<ConvLayer<Conv3DOptions>>(options)) {}

}  // namespace plimsoll
