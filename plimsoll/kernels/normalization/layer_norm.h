// Rows normalised by their own moments, and their gradients.
#pragma once

#include "plimsoll/kernels/kernel.h"

namespace plimsoll::kernels {

struct LayerNormOptions {
  double epsilon = 1e-3;
  bool centered = true;  // false: no mean is subtracted
  int axes = 1;          // trailing axes that make a row
};

// Inputs x, gamma, beta; output y.
KernelPtr make_layer_norm(const KernelRequest& request, const LayerNormOptions& options);

// Inputs x, gamma, dy; outputs dx, dgamma, dbeta. An output of shape (0,) is not computed.
KernelPtr make_layer_norm_gradient(const KernelRequest& request, const LayerNormOptions& options);

}  // namespace plimsoll::kernels
