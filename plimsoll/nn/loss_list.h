// Every kind of loss, once.
#pragma once

#include <span>

#include "plimsoll/nn/loss.h"

namespace plimsoll {

struct LossKind {
  std::string_view name;        // Keras's function: "mean_squared_error"
  std::string_view class_name;  // Keras's class: "MeanSquaredError"
  std::string_view short_name;  // "mse"; may be empty
  Loss (*make)();               // with Keras's defaults
};

std::span<const LossKind> loss_list();

// By any of its names; null where there is none.
const LossKind* find_loss(std::string_view name);

}  // namespace plimsoll
