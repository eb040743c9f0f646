// SimpleRNN: a dense layer over sequences (batch, steps, features) that also sees its own output.
#pragma once

#include <optional>

#include "plimsoll/nn/layers/layer.h"

namespace plimsoll {

struct SimpleRNNOptions {
  int64_t units = 0;
  std::string activation = "tanh";
  bool use_bias = true;
  Initializer kernel_initializer = "glorot_uniform";
  Initializer recurrent_initializer = "orthogonal";
  Initializer bias_initializer = "zeros";
  Regularizer kernel_regularizer = {};
  Regularizer recurrent_regularizer = {};
  Regularizer bias_regularizer = {};
  Regularizer activity_regularizer = {};
  Constraint kernel_constraint = {};
  Constraint recurrent_constraint = {};
  Constraint bias_constraint = {};
  double dropout = 0;            // of what goes in; the same at every step
  double recurrent_dropout = 0;  // of the state; the same at every step
  std::optional<int64_t> seed = {};
  bool return_sequences = false;  // every step's output, not the last alone
  bool return_state = false;      // a further output
  bool go_backwards = false;      // outputs come in the order in which they are computed
  bool stateful = false;          // a batch begins with the state in which the one before ended
  bool unroll = false;            // makes no difference
  bool zero_output_for_mask = false;
  std::string name = {};
  bool trainable = true;
};

void describe(Fields& fields, SimpleRNNOptions& options);

struct SimpleRNN : Layer {
  explicit SimpleRNN(const SimpleRNNOptions& options = {});
};

struct SimpleRNNCellOptions {
  int64_t units = 0;
  std::string activation = "tanh";
  bool use_bias = true;
  Initializer kernel_initializer = "glorot_uniform";
  Initializer recurrent_initializer = "orthogonal";
  Initializer bias_initializer = "zeros";
  Regularizer kernel_regularizer = {};
  Regularizer recurrent_regularizer = {};
  Regularizer bias_regularizer = {};
  Constraint kernel_constraint = {};
  Constraint recurrent_constraint = {};
  Constraint bias_constraint = {};
  double dropout = 0;
  double recurrent_dropout = 0;
  std::optional<int64_t> seed = {};
  std::string name = {};
  bool trainable = true;
};

void describe(Fields& fields, SimpleRNNCellOptions& options);

// For RNN. Called by itself, with an initial_state, it does one step: the output, then the state.
struct SimpleRNNCell : Layer {
  explicit SimpleRNNCell(const SimpleRNNCellOptions& options = {});
};

}  // namespace plimsoll
