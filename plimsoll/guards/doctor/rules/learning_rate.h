// What learning rates are usual, by optimizer.
#pragma once

#include <string>

namespace plimsoll {

struct UsualRates {
  double least, usual, largest;
};

// Steps of SGD are as large as its gradients; those of the others are about as large as the rate.
inline UsualRates usual_rates(const std::string& optimizer) {
  if (optimizer == "SGD") return {1e-3, 0.01, 0.3};
  if (optimizer == "Adadelta") return {0.05, 1, 10};
  if (optimizer == "Adagrad") return {2e-3, 0.05, 0.5};
  if (optimizer == "Ftrl") return {2e-3, 0.05, 0.5};
  if (optimizer == "Lion") return {1e-5, 1e-4, 3e-3};
  return {1e-4, 1e-3, 0.015};
}

}  // namespace plimsoll
