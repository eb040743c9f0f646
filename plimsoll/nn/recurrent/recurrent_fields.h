// The settings that recurrent layers and cells share, in the order in which Keras writes them.
#pragma once

#include "plimsoll/nn/keras/fields.h"

namespace plimsoll {

template <class Options>
void describe_flags(Fields& fields, Options& options) {
  fields.with("return_sequences", options.return_sequences)
      .with("return_state", options.return_state)
      .with("go_backwards", options.go_backwards)
      .with("stateful", options.stateful)
      .with("unroll", options.unroll)
      .with("zero_output_for_mask", options.zero_output_for_mask);
}

template <class Options>
void describe_initializers(Fields& fields, Options& options) {
  fields.with("kernel_initializer", options.kernel_initializer)
      .with("recurrent_initializer", options.recurrent_initializer)
      .with("bias_initializer", options.bias_initializer);
}

template <class Options>
void describe_regularizers(Fields& fields, Options& options) {
  fields.with("kernel_regularizer", options.kernel_regularizer)
      .with("recurrent_regularizer", options.recurrent_regularizer)
      .with("bias_regularizer", options.bias_regularizer);
}

template <class Options>
void describe_dropout(Fields& fields, Options& options) {
  fields.with("kernel_constraint", options.kernel_constraint)
      .with("recurrent_constraint", options.recurrent_constraint)
      .with("bias_constraint", options.bias_constraint)
      .with("dropout", options.dropout)
      .with("recurrent_dropout", options.recurrent_dropout);
  fields.ignored("implementation");  // of older files: how, not what
}

}  // namespace plimsoll
