// Every kind of optimizer, once.
#pragma once

#include <span>

#include "plimsoll/nn/keras/json.h"
#include "plimsoll/nn/optimizers/optimizer.h"

namespace plimsoll {

// Learning rates outside of these are unusual.
struct UsualRates {
  double least = 1e-4, usual = 1e-3, largest = 0.015;
};

struct OptimizerKind {
  std::string_view class_name;  // Keras's: "SGD"
  Optimizer (*make)();          // with Keras's defaults
  Optimizer (*from_config)(Fields&);
  UsualRates usual_rates = {};
  // The size of its steps follows that of the gradients; those of the others are about as large as
  // the learning rate.
  bool follows_gradients = false;
};

std::span<const OptimizerKind> optimizer_list();

// By Keras's class name; null if there is none.
const OptimizerKind* find_optimizer(std::string_view class_name);

// By Keras's name, in upper or lower case; InvalidArgument lists the known names.
Optimizer make_optimizer(std::string_view name);

// As Keras writes it: {"module": "keras.optimizers", …}.
Json config_of(const Optimizer& optimizer);
// The same with the settings that Keras does not know, for use within a process.
Json whole_config_of(const Optimizer& optimizer);
// Reads what config_of made, or a name. A LossScaleOptimizer is read as the optimizer inside it,
// because its scale only helps 16-bit numbers, which are not used here.
Optimizer optimizer_from_config(const Json& json);

// A new optimizer with the same settings that is not built yet.
Optimizer fresh_copy(const Optimizer& optimizer);

}  // namespace plimsoll
