// Gradient descent, with momentum if wanted.
#pragma once

#include "plimsoll/nn/optimizer.h"

namespace plimsoll {

struct SGDOptions {
  double learning_rate = 0.01;
  double momentum = 0;
  bool nesterov = false;
  std::optional<double> weight_decay = {};
  std::optional<double> clipnorm = {};
  std::optional<double> clipvalue = {};
  std::optional<double> global_clipnorm = {};
  std::string name = {};
};

struct SGD : Optimizer {
  explicit SGD(const SGDOptions& options = {});
};

}  // namespace plimsoll
