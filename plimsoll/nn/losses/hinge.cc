#include "plimsoll/nn/losses/hinge.h"

#include "plimsoll/nn/as_float.h"
#include "plimsoll/nn/losses/loss_arguments.h"
#include "plimsoll/nn/losses/loss_of.h"
#include "plimsoll/ops/elementwise/elementwise.h"
#include "plimsoll/ops/reduction/reduction.h"

namespace plimsoll {
namespace {

// If all targets are 0 or 1, they become -1 and 1.
Tensor signed_targets(const Tensor& y_true) {
  const Tensor target = as_float(y_true);
  const Tensor is_bit = as_float(logical_or(equal(target, 0), equal(target, 1)));
  return select(equal(min(is_bit), 1), 2 * target - 1, target);
}

// How far each prediction is short of a margin of 1.
Tensor lack(const char* who, const Tensor& y_true, const Tensor& y_pred) {
  require_same_shape(who, y_true, y_pred, "");
  return maximum(1 - signed_targets(y_true) * y_pred, 0);
}

}  // namespace

Tensor hinge(const Tensor& y_true, const Tensor& y_pred) {
  return mean(lack("hinge", y_true, y_pred), {-1});
}

Tensor squared_hinge(const Tensor& y_true, const Tensor& y_pred) {
  return mean(square(lack("squared_hinge", y_true, y_pred)), {-1});
}

Tensor categorical_hinge(const Tensor& y_true, const Tensor& y_pred) {
  require_same_shape("categorical_hinge", y_true, y_pred, "");
  const Tensor target = as_float(y_true);
  const Tensor right = sum(target * y_pred, {-1}), wrong = max((1 - target) * y_pred, {-1});
  return maximum(wrong - right + 1, 0);
}

Hinge::Hinge(const LossOptions& options) : Loss(LossOf("Hinge", "hinge", options, hinge)) {
  set_targets({.kind = LossTargets::Kind::signs});
}

SquaredHinge::SquaredHinge(const LossOptions& options)
    : Loss(LossOf("SquaredHinge", "squared_hinge", options, squared_hinge)) {
  set_targets({.kind = LossTargets::Kind::signs});
}

CategoricalHinge::CategoricalHinge(const LossOptions& options)
    : Loss(LossOf("CategoricalHinge", "categorical_hinge", options, categorical_hinge)) {
  set_targets({.kind = LossTargets::Kind::class_vectors});
}

}  // namespace plimsoll
