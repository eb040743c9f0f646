// The update of one weight by an optimizer: one pass over weight, gradient and slots, written in
// place when the step commits. Scalars are tensors, because they change from step to step.
#pragma once

#include "plimsoll/graph/operand.h"

namespace plimsoll {

// What every update does to the gradient and the weight before its own rule:
// g = clip_value(gradient * gradient_scale); w = w - w * weight_decay.
struct UpdateScalars {
  Tensor learning_rate;        // float32 scalar, bias correction included where the rule has one
  Tensor gradient_scale = {};  // float32 scalar; undefined: 1
  Tensor weight_decay = {};    // float32 scalar, learning rate included; undefined: 0
  Tensor is_on = {};           // float32 scalar; 0: weight and slots stay; undefined: 1
  Tensors rule = {};           // float32 scalars that the rule alone has
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
// Slot: the sum of squares.
Updated adagrad_update(const Tensor& weight, const Tensor& gradient, const Tensors& slots,
                       const UpdateScalars& scalars, double epsilon);
// Slots: mean square of gradients, mean square of moves.
Updated adadelta_update(const Tensor& weight, const Tensor& gradient, const Tensors& slots,
                        const UpdateScalars& scalars, double rho, double epsilon);

// Slots: m, v. w -= (lr * m + gradient_rate * g) / (sqrt(v * square_scale) + epsilon), where the
// two scalars in the middle are those of the rule.
Updated nadam_update(const Tensor& weight, const Tensor& gradient, const Tensors& slots,
                     const UpdateScalars& scalars, double beta_1, double beta_2, double epsilon);
// Slots: m, and the decaying maximum of the gradient's size. `learning_rate` is lr / (1 - b1^t).
Updated adamax_update(const Tensor& weight, const Tensor& gradient, const Tensors& slots,
                      const UpdateScalars& scalars, double beta_1, double beta_2, double epsilon);
// Slot: m. w -= lr * sign(b1 * m + (1 - b1) * g).
Updated lion_update(const Tensor& weight, const Tensor& gradient, const Tensors& slots,
                    const UpdateScalars& scalars, double beta_1, double beta_2);

struct FtrlSettings {
  double learning_rate_power = -0.5;
  double l1 = 0, l2 = 0, l2_shrinkage = 0;
  double beta = 0;
};
// Slots: the sum of squares, the linear coefficient.
Updated ftrl_update(const Tensor& weight, const Tensor& gradient, const Tensors& slots,
                    const UpdateScalars& scalars, const FtrlSettings& settings);

struct Accumulated {
  Tensor sum;    // what the next step adds to: 0 after an update
  Tensor total;  // what an update takes
};
// total = sum + gradient * scale; sum = is_due ? 0 : total. Both are written in place.
Accumulated accumulate_gradient(const Tensor& sum, const Tensor& gradient, double scale,
                                const Tensor& is_due);

// How many times `divisor`, which is above 0, goes into a count of steps, int64.
Tensor whole_quotient(const Operand& count, int64_t divisor);

// A bool scalar: true if every element of every tensor is finite. A step commits only if it is
// true.
Tensor all_finite(const Tensors& tensors, Place where = Place::here());
// The root of the sum of the squares over all tensors, a float32 scalar: finite if they are, also
// where their squares overflow.
Tensor norm(const Tensors& tensors, Place where = Place::here());

}  // namespace plimsoll
