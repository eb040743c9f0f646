#include "plimsoll/nn/recurrent/conv_lstm.h"

#include "plimsoll/nn/images/image_layer.h"
#include "plimsoll/nn/recurrent/conv_lstm_cell.h"
#include "plimsoll/nn/recurrent/make_recurrent.h"
#include "plimsoll/nn/recurrent/recurrent_fields.h"

namespace plimsoll {
namespace {

std::vector<int64_t> size_list(int64_t size) {
  return {size};
}
template <class Size>
std::vector<int64_t> size_list(const Size& size) {
  const auto values = size.values();
  return {values.begin(), values.end()};
}

template <class Options>
ConvLSTMSettings conv_lstm_settings(const Options& o) {
  return {cell_settings(o),           o.filters, size_list(o.kernel_size), size_list(o.strides),
          size_list(o.dilation_rate), o.padding};
}

template <class Options>
std::shared_ptr<LayerBody> make_conv_lstm(std::string_view class_name, const Options& options) {
  const auto cell = make_conv_lstm_cell(conv_lstm_settings(options));
  return named_and_checked(std::make_shared<RecurrentLayerOf<Options>>(class_name, options, cell),
                           options);
}

template <class Options>
void describe_conv_lstm(Fields& fields, Options& options) {
  describe_flags(fields, options);
  fields.with("filters", options.filters);
  tell_size(fields, "kernel_size", options.kernel_size);
  tell_size(fields, "strides", options.strides);
  fields.with("padding", options.padding).only("data_format", "channels_last");
  tell_size(fields, "dilation_rate", options.dilation_rate);
  fields.activation("activation", options.activation)
      .activation("recurrent_activation", options.recurrent_activation)
      .with("use_bias", options.use_bias);
  describe_initializers(fields, options);
  fields.with("unit_forget_bias", options.unit_forget_bias);
  describe_regularizers(fields, options);
  fields.with("activity_regularizer", options.activity_regularizer);
  describe_dropout(fields, options);
  fields.with("seed", options.seed);
}

}  // namespace

void describe(Fields& fields, ConvLSTM1DOptions& options) {
  describe_conv_lstm(fields, options);
}
void describe(Fields& fields, ConvLSTM2DOptions& options) {
  describe_conv_lstm(fields, options);
}
void describe(Fields& fields, ConvLSTM3DOptions& options) {
  describe_conv_lstm(fields, options);
}

ConvLSTM1D::ConvLSTM1D(const ConvLSTM1DOptions& options)
    : Layer(make_conv_lstm("ConvLSTM1D", options)) {}

ConvLSTM2D::ConvLSTM2D(const ConvLSTM2DOptions& options)
    : Layer(make_conv_lstm("ConvLSTM2D", options)) {}

ConvLSTM3D::ConvLSTM3D(const ConvLSTM3DOptions& options)
    : Layer(make_conv_lstm("ConvLSTM3D", options)) {}

}  // namespace plimsoll
