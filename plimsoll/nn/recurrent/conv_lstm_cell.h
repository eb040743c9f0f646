// The cell of ConvLSTM1D, 2D and 3D.
#pragma once

#include "plimsoll/nn/recurrent/recurrent_cell.h"

namespace plimsoll {

// One number per spatial axis, in their order.
struct ConvLSTMSettings {
  int64_t filters = 0;
  std::vector<int64_t> kernel_size = {}, strides = {}, dilation_rate = {};
  std::string padding = "valid";
  std::string activation = "tanh", recurrent_activation = "sigmoid";
  bool use_bias = true, unit_forget_bias = true;
  Initializer kernel_initializer = {}, recurrent_initializer = {}, bias_initializer = {};
  Regularizer kernel_regularizer = {}, recurrent_regularizer = {}, bias_regularizer = {};
  Constraint kernel_constraint = {}, recurrent_constraint = {}, bias_constraint = {};
  double dropout = 0, recurrent_dropout = 0;
  std::optional<int64_t> seed = {};
};

// With the checks of the settings, whose errors name the current scope.
std::shared_ptr<SequenceCell> make_conv_lstm_cell(const ConvLSTMSettings& settings);

}  // namespace plimsoll
