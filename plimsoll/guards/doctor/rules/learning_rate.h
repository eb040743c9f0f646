// What the rows of optimizers say of learning rates.
#pragma once

#include <string_view>

#include "plimsoll/nn/optimizers/optimizer_list.h"

namespace plimsoll {

// Those of most optimizers for one that has no row: a program's own.
inline UsualRates usual_rates(std::string_view optimizer) {
  const OptimizerKind* kind = find_optimizer(optimizer);
  return kind == nullptr ? UsualRates{} : kind->usual_rates;
}

// The size of its steps follows that of the gradients, as SGD's does.
inline bool follows_gradients(std::string_view optimizer) {
  const OptimizerKind* kind = find_optimizer(optimizer);
  return kind != nullptr && kind->follows_gradients;
}

}  // namespace plimsoll
