// The cell of ConvLSTM1D, 2D and 3D.
#pragma once

#include "plimsoll/nn/recurrent/recurrent_cell.h"

namespace plimsoll {

// One number per spatial axis, in their order.
struct ConvLSTMSettings : CellSettings {
  int64_t filters = 0;
  std::vector<int64_t> kernel_size = {}, strides = {}, dilation_rate = {};
  std::string padding = "valid";
};

std::shared_ptr<SequenceCell> make_conv_lstm_cell(const ConvLSTMSettings& settings);

}  // namespace plimsoll
