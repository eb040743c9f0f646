// Normalisation of each row by its own mean and deviation.
#pragma once

#include "plimsoll/graph/operand.h"

namespace plimsoll {

struct LayerNormalizeOptions {
  double epsilon = 1e-3;
  bool centered = true;  // false: by the root of the mean square, and nothing is subtracted
  int axes = 1;          // how many trailing axes make a row
};

// (x - mean) / sqrt(variance + epsilon) * gamma + beta, where gamma and beta have the shape of a
// row and either may be undefined: 1 and 0. The variance is the biased one.
Tensor layer_normalize(const Operand& x, const Tensor& gamma, const Tensor& beta,
                       const LayerNormalizeOptions& options = {});

}  // namespace plimsoll
