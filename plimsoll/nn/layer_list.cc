#include "plimsoll/nn/layer_list.h"

#include <algorithm>

#include "plimsoll/nn/activation.h"
#include "plimsoll/nn/batch_normalization.h"
#include "plimsoll/nn/bidirectional.h"
#include "plimsoll/nn/conv2d.h"
#include "plimsoll/nn/dense.h"
#include "plimsoll/nn/dropout.h"
#include "plimsoll/nn/gru.h"
#include "plimsoll/nn/layer_rows.h"
#include "plimsoll/nn/lstm.h"
#include "plimsoll/nn/masking.h"
#include "plimsoll/nn/merging.h"
#include "plimsoll/nn/pooling2d.h"
#include "plimsoll/nn/rescaling.h"
#include "plimsoll/nn/reshaping.h"
#include "plimsoll/nn/rnn.h"
#include "plimsoll/nn/simple_rnn.h"
#include "plimsoll/nn/time_distributed.h"

namespace plimsoll {
namespace {

Layer activation_example() {
  return Activation({.activation = "relu"});
}
Layer conv2d_example() {
  return Conv2D({.filters = 4, .kernel_size = {3, 2}, .padding = "same", .activation = "relu"});
}
Layer dense_example() {
  return Dense({.units = 5, .activation = "tanh"});
}
Layer dropout_example() {
  return Dropout({.rate = 0.3});
}
Layer bidirectional_example() {
  return Bidirectional({.layer = LSTM({.units = 3, .name = "lstm"})});
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
Layer rescaling_example() {
  return Rescaling({.scale = 0.5, .offset = 1});
}
Layer reshape_example() {
  return Reshape({.target_shape = {-1, 2}});
}

LayerRows basic_layer_rows() {
  static const std::vector<Shape> images = {{2, 5, 6, 3}}, rows = {{4, 6}}, steps = {{3, 4, 5}};
  static const std::vector<Shape> pair = {{3, 4}, {3, 4}}, three = {{3, 4}, {3, 4}, {3, 4}};
  return {
      {"Activation", from_config<Activation, ActivationOptions>, activation_example, rows, {}},
      {"Add", from_config<Add, MergeOptions>, with_defaults<Add>, three, {}},
      {"Average", from_config<Average, MergeOptions>, with_defaults<Average>, three, {}},
      {"AveragePooling2D",
       from_config<AveragePooling2D, Pooling2DOptions>,
       with_defaults<AveragePooling2D>,
       images,
       {}},
      {"BatchNormalization",
       from_config<BatchNormalization, BatchNormalizationOptions>,
       with_defaults<BatchNormalization>,
       images,
       {"gamma", "beta", "moving_mean", "moving_variance"}},
      {"Bidirectional",
       from_config<Bidirectional, BidirectionalOptions>,
       bidirectional_example,
       steps,
       {"forward_lstm/lstm_cell/kernel", "forward_lstm/lstm_cell/recurrent_kernel",
        "forward_lstm/lstm_cell/bias", "backward_lstm/lstm_cell/kernel",
        "backward_lstm/lstm_cell/recurrent_kernel", "backward_lstm/lstm_cell/bias"}},
      {"Concatenate",
       from_config<Concatenate, ConcatenateOptions>,
       with_defaults<Concatenate>,
       pair,
       {}},
      {"Conv2D", from_config<Conv2D, Conv2DOptions>, conv2d_example, images, {"kernel", "bias"}},
      {"Dense", from_config<Dense, DenseOptions>, dense_example, rows, {"kernel", "bias"}},
      {"Dropout", from_config<Dropout, DropoutOptions>, dropout_example, rows, {}},
      {"Flatten", from_config<Flatten, FlattenOptions>, with_defaults<Flatten>, images, {}},
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
      {"GlobalAveragePooling2D",
       from_config<GlobalAveragePooling2D, GlobalPooling2DOptions>,
       with_defaults<GlobalAveragePooling2D>,
       images,
       {}},
      {"GlobalMaxPooling2D",
       from_config<GlobalMaxPooling2D, GlobalPooling2DOptions>,
       with_defaults<GlobalMaxPooling2D>,
       images,
       {}},
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
      {"MaxPooling2D",
       from_config<MaxPooling2D, Pooling2DOptions>,
       with_defaults<MaxPooling2D>,
       images,
       {}},
      {"Maximum", from_config<Maximum, MergeOptions>, with_defaults<Maximum>, three, {}},
      {"Minimum", from_config<Minimum, MergeOptions>, with_defaults<Minimum>, three, {}},
      {"Multiply", from_config<Multiply, MergeOptions>, with_defaults<Multiply>, three, {}},
      {"RNN",
       from_config<RNN, RNNOptions>,
       rnn_example,
       steps,
       {"cell/kernel", "cell/recurrent_kernel", "cell/bias"}},
      {"Rescaling", from_config<Rescaling, RescalingOptions>, rescaling_example, rows, {}},
      {"Reshape", from_config<Reshape, ReshapeOptions>, reshape_example, rows, {}},
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
      {"Subtract", from_config<Subtract, MergeOptions>, with_defaults<Subtract>, pair, {}},
      {"TimeDistributed",
       from_config<TimeDistributed, TimeDistributedOptions>,
       time_distributed_example,
       steps,
       {"dense/kernel", "dense/bias"}},
  };
}

// Sorted by name.
LayerRows all_rows() {
  LayerRows rows;
  for (const LayerRows& family :
       {basic_layer_rows(), attention_layer_rows(), elementwise_layer_rows(), image_layer_rows()})
    rows.insert(rows.end(), family.begin(), family.end());
  std::ranges::sort(rows, {}, &LayerKind::class_name);
  return rows;
}

}  // namespace

std::span<const LayerKind> layer_list() {
  static const LayerRows rows = all_rows();
  return rows;
}

const LayerKind* find_layer(std::string_view class_name) {
  const auto found = std::ranges::find(layer_list(), class_name, &LayerKind::class_name);
  return found == layer_list().end() ? nullptr : &*found;
}

}  // namespace plimsoll
