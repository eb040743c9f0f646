// EinsumDense: activation(einsum(equation, x, kernel) + bias).
#pragma once

#include <string>

#include "plimsoll/nn/layers/activation_option.h"
#include "plimsoll/nn/layers/layer.h"

namespace plimsoll {

struct EinsumDenseOptions {
  std::string equation = {};  // "abc,cd->abd", "...x,xy->...y"
  Shape output_shape = {};    // without the batch; -1 where the input says it
  ActivationOption activation = {};
  std::string bias_axes = {};  // letters of the result; empty: no bias
  Initializer kernel_initializer = "glorot_uniform";
  Initializer bias_initializer = "zeros";
  Regularizer kernel_regularizer = {};
  Regularizer bias_regularizer = {};
  Regularizer activity_regularizer = {};
  Constraint kernel_constraint = {};
  Constraint bias_constraint = {};
  std::string name = {};
  bool trainable = true;
};

void describe(Fields& fields, EinsumDenseOptions& options);

struct EinsumDense : Layer {
  explicit EinsumDense(const EinsumDenseOptions& options = {});
};

}  // namespace plimsoll
