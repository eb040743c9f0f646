// GroupNormalization: each sample's channels, in groups, brought to mean 0 and variance 1.
#pragma once

#include "plimsoll/nn/layers/layer.h"

namespace plimsoll {

struct GroupNormalizationOptions {
  int64_t groups = 32;  // -1: one per channel
  int64_t axis = -1;
  double epsilon = 1e-3;
  bool center = true;
  bool scale = true;
  Initializer beta_initializer = "zeros";
  Initializer gamma_initializer = "ones";
  Regularizer beta_regularizer = {};
  Regularizer gamma_regularizer = {};
  Constraint beta_constraint = {};
  Constraint gamma_constraint = {};
  std::string name = {};
  bool trainable = true;
};

void describe(Fields& fields, GroupNormalizationOptions& options);

struct GroupNormalization : Layer {
  explicit GroupNormalization(const GroupNormalizationOptions& options = {});
};

}  // namespace plimsoll
