// Recurrent layers, their cells and what wraps them.
#include "plimsoll/nn/attention/masking.h"
#include "plimsoll/nn/layers/dense.h"
#include "plimsoll/nn/layers/layer_rows.h"
#include "plimsoll/nn/recurrent/bidirectional.h"
#include "plimsoll/nn/recurrent/conv_lstm.h"
#include "plimsoll/nn/recurrent/gru.h"
#include "plimsoll/nn/recurrent/lstm.h"
#include "plimsoll/nn/recurrent/rnn.h"
#include "plimsoll/nn/recurrent/simple_rnn.h"
#include "plimsoll/nn/recurrent/time_distributed.h"

namespace plimsoll {
namespace {

Layer bidirectional_example() {
  return Bidirectional({.layer = LSTM({.units = 3, .name = "lstm"})});
}
Layer conv_lstm1d_example() {
  return ConvLSTM1D({.filters = 3, .kernel_size = 2, .return_sequences = true});
}
Layer conv_lstm2d_example() {
  return ConvLSTM2D({.filters = 3, .kernel_size = {2, 3}, .padding = "same", .dropout = 0.2});
}
Layer conv_lstm3d_example() {
  return ConvLSTM3D({.filters = 2, .kernel_size = 2, .recurrent_dropout = 0.2});
}
Layer gru_example() {
  return GRU({.units = 4, .return_sequences = true});
}
Layer gru_cell_example() {
  return GRUCell({.units = 4});
}
Layer lstm_example() {
  return LSTM({.units = 4, .recurrent_regularizer = "l2", .return_sequences = true});
}
Layer lstm_cell_example() {
  return LSTMCell({.units = 4});
}
Layer rnn_example() {
  return RNN({.cell = LSTMCell({.units = 4, .name = "cell"}), .go_backwards = true});
}
Layer simple_rnn_example() {
  return SimpleRNN({.units = 4, .activation = "gelu"});
}
Layer simple_rnn_cell_example() {
  return SimpleRNNCell({.units = 4});
}
Layer stacked_rnn_cells_example() {
  return StackedRNNCells({.cells = {GRUCell({.units = 3, .name = "first"}),
                                    SimpleRNNCell({.units = 4, .name = "second"})}});
}
Layer time_distributed_example() {
  return TimeDistributed({.layer = Dense({.units = 4, .name = "dense"})});
}

}  // namespace

LayerRows recurrent_layer_rows() {
  const std::vector<Shape> rows = {{4, 6}}, steps = {{3, 4, 5}};
  return {
      {"Bidirectional",
       from_config<Bidirectional, BidirectionalOptions>,
       bidirectional_example,
       steps,
       {"forward_lstm/lstm_cell/kernel", "forward_lstm/lstm_cell/recurrent_kernel",
        "forward_lstm/lstm_cell/bias", "backward_lstm/lstm_cell/kernel",
        "backward_lstm/lstm_cell/recurrent_kernel", "backward_lstm/lstm_cell/bias"}},
      {"ConvLSTM1D",
       from_config<ConvLSTM1D, ConvLSTM1DOptions>,
       conv_lstm1d_example,
       {{2, 3, 5, 2}},
       {"conv_lstm_cell/kernel", "conv_lstm_cell/recurrent_kernel", "conv_lstm_cell/bias"}},
      {"ConvLSTM2D",
       from_config<ConvLSTM2D, ConvLSTM2DOptions>,
       conv_lstm2d_example,
       {{2, 3, 4, 3, 2}},
       {"conv_lstm_cell/kernel", "conv_lstm_cell/recurrent_kernel", "conv_lstm_cell/bias"}},
      {"ConvLSTM3D",
       from_config<ConvLSTM3D, ConvLSTM3DOptions>,
       conv_lstm3d_example,
       {{2, 2, 3, 2, 3, 2}},
       {"conv_lstm_cell/kernel", "conv_lstm_cell/recurrent_kernel", "conv_lstm_cell/bias"}},
      {"GRU",
       from_config<GRU, GRUOptions>,
       gru_example,
       steps,
       {"gru_cell/kernel", "gru_cell/recurrent_kernel", "gru_cell/bias"}},
      {"GRUCell",
       from_config<GRUCell, GRUCellOptions>,
       gru_cell_example,
       rows,
       {"kernel", "recurrent_kernel", "bias"}},
      {"LSTM",
       from_config<LSTM, LSTMOptions>,
       lstm_example,
       steps,
       {"lstm_cell/kernel", "lstm_cell/recurrent_kernel", "lstm_cell/bias"}},
      {"LSTMCell",
       from_config<LSTMCell, LSTMCellOptions>,
       lstm_cell_example,
       rows,
       {"kernel", "recurrent_kernel", "bias"}},
      {"Masking", from_config<Masking, MaskingOptions>, with_defaults<Masking>, steps, {}},
      {"RNN",
       from_config<RNN, RNNOptions>,
       rnn_example,
       steps,
       {"cell/kernel", "cell/recurrent_kernel", "cell/bias"}},
      {"SimpleRNN",
       from_config<SimpleRNN, SimpleRNNOptions>,
       simple_rnn_example,
       steps,
       {"simple_rnn_cell/kernel", "simple_rnn_cell/recurrent_kernel", "simple_rnn_cell/bias"}},
      {"SimpleRNNCell",
       from_config<SimpleRNNCell, SimpleRNNCellOptions>,
       simple_rnn_cell_example,
       rows,
       {"kernel", "recurrent_kernel", "bias"}},
      {"StackedRNNCells",
       from_config<StackedRNNCells, StackedRNNCellsOptions>,
       stacked_rnn_cells_example,
       rows,
       {"first/kernel", "first/recurrent_kernel", "first/bias", "second/kernel",
        "second/recurrent_kernel", "second/bias"}},
      {"TimeDistributed",
       from_config<TimeDistributed, TimeDistributedOptions>,
       time_distributed_example,
       steps,
       {"dense/kernel", "dense/bias"}},
  };
}

}  // namespace plimsoll
