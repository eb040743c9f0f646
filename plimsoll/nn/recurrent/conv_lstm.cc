#include "plimsoll/nn/recurrent/conv_lstm.h"

#include "plimsoll/graph/scope.h"
#include "plimsoll/nn/images/image_layer.h"
#include "plimsoll/nn/recurrent/conv_lstm_cell.h"
#include "plimsoll/nn/recurrent/recurrent_fields.h"
#include "plimsoll/nn/recurrent/recurrent_layer.h"

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
  return {.filters = o.filters,
          .kernel_size = size_list(o.kernel_size),
          .strides = size_list(o.strides),
          .dilation_rate = size_list(o.dilation_rate),
          .padding = o.padding,
          .activation = o.activation,
          .recurrent_activation = o.recurrent_activation,
          .use_bias = o.use_bias,
          .unit_forget_bias = o.unit_forget_bias,
          .kernel_initializer = o.kernel_initializer,
          .recurrent_initializer = o.recurrent_initializer,
          .bias_initializer = o.bias_initializer,
          .kernel_regularizer = o.kernel_regularizer,
          .recurrent_regularizer = o.recurrent_regularizer,
          .bias_regularizer = o.bias_regularizer,
          .kernel_constraint = o.kernel_constraint,
          .recurrent_constraint = o.recurrent_constraint,
          .bias_constraint = o.bias_constraint,
          .dropout = o.dropout,
          .recurrent_dropout = o.recurrent_dropout,
          .seed = o.seed};
}

template <class Options>
class ConvLSTMBody final : public RecurrentLayer {
 public:
  ConvLSTMBody(std::string_view class_name, const Options& options)
      : RecurrentLayer(recurrent_flags(options), make_conv_lstm_cell(conv_lstm_settings(options))),
        class_name_(class_name),
        options_(options) {}

  std::string_view class_name() const override { return class_name_; }
  void config_fields(Fields& fields) const override {
    Options copy = options_;
    copy.zero_output_for_mask = flags().zero_output_for_mask;
    describe(fields, copy);
  }

 private:
  std::string_view class_name_;
  Options options_;
};

template <class Options>
std::shared_ptr<LayerBody> make_conv_lstm(std::string_view class_name, const Options& options) {
  const std::string name = options.name.empty() ? unique_name(class_name) : options.name;
  const Scope scope(name);  // errors name the layer, not its cell
  auto body = std::make_shared<ConvLSTMBody<Options>>(class_name, options);
  body->set_name(name);
  if (!options.trainable) body->set_trainable(false);
  body->set_activity_regularizer(options.activity_regularizer);
  return body;
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
