#include "plimsoll/nn/recurrent/simple_rnn.h"

#include "plimsoll/nn/recurrent/make_recurrent.h"
#include "plimsoll/nn/recurrent/recurrent_fields.h"

namespace plimsoll {
namespace {

template <class Options>
void describe_sums(Fields& fields, Options& options) {
  fields.with("units", options.units)
      .activation("activation", options.activation)
      .with("use_bias", options.use_bias);
  describe_initializers(fields, options);
  describe_regularizers(fields, options);
}

}  // namespace

void describe(Fields& fields, SimpleRNNOptions& options) {
  describe_flags(fields, options);
  describe_sums(fields, options);
  fields.with("activity_regularizer", options.activity_regularizer);
  describe_dropout(fields, options);
  if (fields.reading()) fields.with("seed", options.seed);  // Keras writes none
}

void describe(Fields& fields, SimpleRNNCellOptions& options) {
  describe_sums(fields, options);
  describe_dropout(fields, options);
  fields.with("seed", options.seed);
}

SimpleRNN::SimpleRNN(const SimpleRNNOptions& options)
    : Layer(make_recurrent_layer("SimpleRNN", RecurrentCell::simple, options)) {}

SimpleRNNCell::SimpleRNNCell(const SimpleRNNCellOptions& options)
    : Layer(make_cell(RecurrentCell::simple, options)) {}

}  // namespace plimsoll
