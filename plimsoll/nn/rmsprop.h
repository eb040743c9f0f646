// RMSprop: steps divided by a running mean of the gradient's size.
#pragma once

#include "plimsoll/nn/optimizer.h"

namespace plimsoll {

struct RMSpropOptions {
  double learning_rate = 0.001;
  double rho = 0.9;
  double momentum = 0;
  double epsilon = 1e-7;
  bool centered = false;
  std::optional<double> weight_decay = {};
  std::optional<double> clipnorm = {};
  std::optional<double> clipvalue = {};
  std::optional<double> global_clipnorm = {};
  std::string name = {};
};

struct RMSprop : Optimizer {
  explicit RMSprop(const RMSpropOptions& options = {});
};

}  // namespace plimsoll
