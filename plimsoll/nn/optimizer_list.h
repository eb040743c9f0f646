// Every kind of optimizer, once.
#pragma once

#include <span>

#include "plimsoll/nn/optimizer.h"

namespace plimsoll {

struct OptimizerKind {
  std::string_view class_name;  // Keras's: "SGD"
  Optimizer (*make)();          // with Keras's defaults
};

std::span<const OptimizerKind> optimizer_list();

}  // namespace plimsoll
