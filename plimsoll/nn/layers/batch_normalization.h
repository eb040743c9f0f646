// BatchNormalization: each channel (an axis, the last by default) gets mean beta and standard
// deviation gamma. Training normalises by the batch and keeps moving statistics; inference, and a
// frozen layer (trainable = false), normalise by those and leave them alone.
#pragma once

#include <optional>

#include "plimsoll/nn/layers/layer.h"

namespace plimsoll {

struct RenormClipping {
  std::optional<double> rmin = {}, rmax = {}, dmax = {};
};

struct BatchNormalizationOptions {
  int axis = -1;
  double momentum = 0.99;
  double epsilon = 1e-3;
  bool center = true;
  bool scale = true;
  Initializer beta_initializer = "zeros";
  Initializer gamma_initializer = "ones";
  Initializer moving_mean_initializer = "zeros";
  Initializer moving_variance_initializer = "ones";
  Regularizer beta_regularizer = {};
  Regularizer gamma_regularizer = {};
  Constraint beta_constraint = {};
  Constraint gamma_constraint = {};
  bool synchronized = false;  // between replicas; there is one
  // Batch renormalisation: training, too, normalises by moving statistics, of their own momentum,
  // as far as the clipping allows.
  bool renorm = false;
  RenormClipping renorm_clipping = {};
  double renorm_momentum = 0.99;
  std::string name = {};
  bool trainable = true;
};

void describe(Fields& fields, BatchNormalizationOptions& options);

struct BatchNormalization : Layer {
  explicit BatchNormalization(const BatchNormalizationOptions& options = {});
};

}  // namespace plimsoll
