// What an optimizer does to one weight: one pass over weight, gradient and slots, written in place
// when the step commits. Scalars are tensors, for they change from step to step.
#pragma once

#include "plimsoll/graph/operand.h"

namespace plimsoll {

// What every update does to the gradient and the weight before its own rule:
// g = clip_value(gradient * gradient_scale); w = w - w * weight_decay.
struct UpdateScalars {
  Tensor learning_rate;        // float32 scalar, bias correction included where the rule has one
  Tensor gradient_scale = {};  // float32 scalar; undefined: 1
  Tensor weight_decay = {};    // float32 scalar, learning rate included; undefined: 0
  double clip_value = 0;       // clips each element to [-clip_value, clip_value]; 0: does not
};

struct Updated {
  Tensor weight;
  Tensors slots;  // in the order they were passed
};

// v = momentum * v - lr * g; w += v, or with nesterov w += momentum * v - lr * g. Without momentum
// (no slot): w -= lr * g.
Updated sgd_update(const Tensor& weight, const Tensor& gradient, const Tensors& velocity,
                   const UpdateScalars& scalars, double momentum, bool nesterov);
// Slots: mean square, then momentum if > 0, then mean gradient if centered (Keras's order: see
// keras.optimizers.RMSprop).
Updated rmsprop_update(const Tensor& weight, const Tensor& gradient, const Tensors& slots,
                       const UpdateScalars& scalars, double rho, double momentum, double epsilon,
                       bool centered);
// Slots: m, v, and with amsgrad the largest v. `learning_rate` is lr * sqrt(1 - b2^t) / (1 - b1^t).
Updated adam_update(const Tensor& weight, const Tensor& gradient, const Tensors& slots,
                    const UpdateScalars& scalars, double beta_1, double beta_2, double epsilon,
                    bool amsgrad);

// A bool scalar: is every element of every tensor finite? The gate of a step.
Tensor all_finite(const Tensors& tensors,
                  std::source_location where = std::source_location::current());
// The sum of squares over all tensors, a float32 scalar.
Tensor sum_of_squares(const Tensors& tensors,
                      std::source_location where = std::source_location::current());

}  // namespace plimsoll
