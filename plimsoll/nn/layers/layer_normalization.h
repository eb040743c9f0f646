// Layers that normalise each sample by itself, over one axis or several.
#pragma once

#include <vector>

#include "plimsoll/nn/layers/layer.h"

namespace plimsoll {

struct LayerNormalizationOptions {
  std::vector<int> axis = {-1};
  double epsilon = 1e-3;
  bool center = true;
  bool scale = true;
  bool rms_scaling = false;  // Keras's old form: divides by the deviation, subtracts nothing
  Initializer beta_initializer = "zeros";
  Initializer gamma_initializer = "ones";
  Regularizer beta_regularizer = {};
  Regularizer gamma_regularizer = {};
  Constraint beta_constraint = {};
  Constraint gamma_constraint = {};
  std::string name = {};
  bool trainable = true;
};

void describe(Fields& fields, LayerNormalizationOptions& options);

struct LayerNormalization : Layer {
  explicit LayerNormalization(const LayerNormalizationOptions& options = {});
};

// Divides by the root of the mean square, then multiplies by a weight.
struct RMSNormalizationOptions {
  std::vector<int> axis = {-1};
  double epsilon = 1e-6;
  std::string name = {};
  bool trainable = true;
};

void describe(Fields& fields, RMSNormalizationOptions& options);

struct RMSNormalization : Layer {
  explicit RMSNormalization(const RMSNormalizationOptions& options = {});
};

// Divides by the Euclidean norm.
struct UnitNormalizationOptions {
  std::vector<int> axis = {-1};
  std::string name = {};
  bool trainable = true;
};

void describe(Fields& fields, UnitNormalizationOptions& options);

struct UnitNormalization : Layer {
  explicit UnitNormalization(const UnitNormalizationOptions& options = {});
};

}  // namespace plimsoll
