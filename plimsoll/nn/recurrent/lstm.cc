#include "plimsoll/nn/recurrent/lstm.h"

#include "plimsoll/nn/recurrent/make_recurrent.h"
#include "plimsoll/nn/recurrent/recurrent_fields.h"

namespace plimsoll {

void describe(Fields& fields, LSTMOptions& options) {
  describe_flags(fields, options);
  fields.with("units", options.units)
      .activation("activation", options.activation)
      .activation("recurrent_activation", options.recurrent_activation)
      .with("use_bias", options.use_bias);
  describe_initializers(fields, options);
  fields.with("unit_forget_bias", options.unit_forget_bias);
  describe_regularizers(fields, options);
  fields.with("activity_regularizer", options.activity_regularizer);
  describe_dropout(fields, options);
  fields.with("seed", options.seed);
}

void describe(Fields& fields, LSTMCellOptions& options) {
  fields.with("units", options.units)
      .activation("activation", options.activation)
      .activation("recurrent_activation", options.recurrent_activation)
      .with("use_bias", options.use_bias)
      .with("unit_forget_bias", options.unit_forget_bias);
  describe_initializers(fields, options);
  describe_regularizers(fields, options);
  describe_dropout(fields, options);
  fields.with("seed", options.seed);
}

LSTM::LSTM(const LSTMOptions& options)
    : Layer(make_recurrent_layer("LSTM", RecurrentCell::lstm, options)) {}

LSTMCell::LSTMCell(const LSTMCellOptions& options)
    : Layer(make_cell(RecurrentCell::lstm, options)) {}

}  // namespace plimsoll
