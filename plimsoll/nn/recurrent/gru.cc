#include "plimsoll/nn/recurrent/gru.h"

#include "plimsoll/nn/recurrent/make_recurrent.h"
#include "plimsoll/nn/recurrent/recurrent_fields.h"

namespace plimsoll {
namespace {

template <class Options>
void describe_gates(Fields& fields, Options& options) {
  fields.with("units", options.units)
      .activation("activation", options.activation)
      .activation("recurrent_activation", options.recurrent_activation)
      .with("use_bias", options.use_bias);
  describe_initializers(fields, options);
  describe_regularizers(fields, options);
}

}  // namespace

void describe(Fields& fields, GRUOptions& options) {
  describe_flags(fields, options);
  describe_gates(fields, options);
  fields.with("activity_regularizer", options.activity_regularizer);
  describe_dropout(fields, options);
  fields.with("reset_after", options.reset_after).with("seed", options.seed);
}

void describe(Fields& fields, GRUCellOptions& options) {
  describe_gates(fields, options);
  describe_dropout(fields, options);
  fields.with("reset_after", options.reset_after).with("seed", options.seed);
}

GRU::GRU(const GRUOptions& options)
    : Layer(make_recurrent_layer("GRU", RecurrentCell::gru, options)) {}

GRUCell::GRUCell(const GRUCellOptions& options) : Layer(make_cell(RecurrentCell::gru, options)) {}

}  // namespace plimsoll
