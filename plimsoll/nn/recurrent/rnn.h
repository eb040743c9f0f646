// RNN: a recurrent layer of any cell; StackedRNNCells: several cells as one, each of which takes
// the output of the one before.
#pragma once

#include "plimsoll/nn/layers/layer.h"

namespace plimsoll {

struct RNNOptions {
  Layer cell = {};  // LSTMCell, GRUCell, SimpleRNNCell or StackedRNNCells
  bool return_sequences = false;
  bool return_state = false;  // the states of all cells, from the first on
  bool go_backwards = false;
  bool stateful = false;
  bool unroll = false;  // makes no difference
  bool zero_output_for_mask = false;
  std::string name = {};
  bool trainable = true;
};

void describe(Fields& fields, RNNOptions& options);

struct RNN : Layer {
  explicit RNN(const RNNOptions& options = {});
};

struct StackedRNNCellsOptions {
  Layers cells = {};  // each takes the output of the one before
  std::string name = {};
  bool trainable = true;
};

void describe(Fields& fields, StackedRNNCellsOptions& options);

struct StackedRNNCells : Layer {
  explicit StackedRNNCells(const StackedRNNCellsOptions& options = {});
};

}  // namespace plimsoll
