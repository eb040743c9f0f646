// Activation functions that have settings, or weights, of their own.
#pragma once

#include <optional>
#include <vector>

#include "plimsoll/nn/layers/layer.h"

namespace plimsoll {

// x from `threshold` on, negative_slope * (x - threshold) below, never above max_value.
struct ReLUOptions {
  std::optional<double> max_value = {};
  double negative_slope = 0;
  double threshold = 0;
  std::string name = {};
  bool trainable = true;
};
void describe(Fields& fields, ReLUOptions& options);
struct ReLU : Layer {
  explicit ReLU(const ReLUOptions& options = {});
};

struct LeakyReLUOptions {
  double negative_slope = 0.3;
  std::string name = {};
  bool trainable = true;
};
void describe(Fields& fields, LeakyReLUOptions& options);
struct LeakyReLU : Layer {
  explicit LeakyReLU(const LeakyReLUOptions& options = {});
};

struct ELUOptions {
  double alpha = 1;
  std::string name = {};
  bool trainable = true;
};
void describe(Fields& fields, ELUOptions& options);
struct ELU : Layer {
  explicit ELU(const ELUOptions& options = {});
};

// A learnt slope for negative inputs, one per element; along the listed axes elements share one.
struct PReLUOptions {
  Initializer alpha_initializer = "zeros";
  Regularizer alpha_regularizer = {};
  Constraint alpha_constraint = {};
  std::vector<int64_t> shared_axes = {};
  std::string name = {};
  bool trainable = true;
};
void describe(Fields& fields, PReLUOptions& options);
struct PReLU : Layer {
  explicit PReLU(const PReLUOptions& options = {});
};

// Over one axis or several together. Elements that a mask of the input's shape leaves out get 0.
struct SoftmaxOptions {
  std::vector<int> axis = {-1};
  std::string name = {};
  bool trainable = true;
};
void describe(Fields& fields, SoftmaxOptions& options);
struct Softmax : Layer {
  explicit Softmax(const SoftmaxOptions& options = {});
};

}  // namespace plimsoll
