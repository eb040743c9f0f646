// ConvLSTM1D, 2D and 3D: an LSTM over sequences of rows, images or volumes, whose products are
// convolutions.
#pragma once

#include <optional>

#include "plimsoll/nn/layers/layer.h"
#include "plimsoll/nn/size2d.h"
#include "plimsoll/nn/size3d.h"

namespace plimsoll {

template <class Size>
struct ConvLSTMOptions {
  int64_t filters = 0;
  Size kernel_size = 0;
  Size strides = 1;               // of the convolution of what goes in
  std::string padding = "valid";  // of the same; or "same". The state's is always "same"
  Size dilation_rate = 1;
  std::string activation = "tanh";
  std::string recurrent_activation = "sigmoid";
  bool use_bias = true;
  Initializer kernel_initializer = "glorot_uniform";
  Initializer recurrent_initializer = "orthogonal";
  Initializer bias_initializer = "zeros";
  bool unit_forget_bias = true;  // the forget gate's bias begins at 1
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
  bool return_state = false;      // further outputs: h and c
  bool go_backwards = false;      // outputs come in the order in which they are computed
  bool stateful = false;          // a batch begins with the state in which the one before ended
  bool unroll = false;            // makes no difference
  bool zero_output_for_mask = false;
  std::string name = {};
  bool trainable = true;
};

using ConvLSTM1DOptions = ConvLSTMOptions<int64_t>;
using ConvLSTM2DOptions = ConvLSTMOptions<Size2D>;
using ConvLSTM3DOptions = ConvLSTMOptions<Size3D>;

void describe(Fields& fields, ConvLSTM1DOptions& options);
void describe(Fields& fields, ConvLSTM2DOptions& options);
void describe(Fields& fields, ConvLSTM3DOptions& options);

// (batch, steps, columns, channels)
struct ConvLSTM1D : Layer {
  explicit ConvLSTM1D(const ConvLSTM1DOptions& options = {});
};

// (batch, steps, height, width, channels)
struct ConvLSTM2D : Layer {
  explicit ConvLSTM2D(const ConvLSTM2DOptions& options = {});
};

// (batch, steps, depth, height, width, channels)
struct ConvLSTM3D : Layer {
  explicit ConvLSTM3D(const ConvLSTM3DOptions& options = {});
};

}  // namespace plimsoll
