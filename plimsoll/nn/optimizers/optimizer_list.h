// Every kind of optimizer, once.
#pragma once

#include <span>

#include "plimsoll/nn/keras/json.h"
#include "plimsoll/nn/optimizers/optimizer.h"

namespace plimsoll {

struct OptimizerKind {
  std::string_view class_name;  // Keras's: "SGD"
  Optimizer (*make)();          // with Keras's defaults
  Optimizer (*from_config)(Fields&);
};

std::span<const OptimizerKind> optimizer_list();

// By Keras's name, in upper or lower case; InvalidArgument lists the known.
Optimizer make_optimizer(std::string_view name);

// As Keras writes it: {"module": "keras.optimizers", …}.
Json config_of(const Optimizer& optimizer);
// What config_of made, or a name. A LossScaleOptimizer is read as the one inside, for its scale
// makes up for numbers of 16 bits, which are not used here.
Optimizer optimizer_from_config(const Json& json);

// Another one of the same settings, that was built for nothing yet.
Optimizer fresh_copy(const Optimizer& optimizer);

}  // namespace plimsoll
