#include "plimsoll/nn/losses/overlap.h"

#include <nlohmann/json.hpp>

#include "plimsoll/nn/as_float.h"
#include "plimsoll/nn/losses/loss_arguments.h"
#include "plimsoll/nn/losses/loss_of.h"
#include "plimsoll/ops/elementwise/elementwise.h"
#include "plimsoll/ops/reduction/reduction.h"

namespace plimsoll {
namespace {

// An empty list of axes is written as null, a single axis as a number.
void with_axis(Fields& fields, std::vector<int>& axis) {
  if (fields.reading())
    fields.with("axis", axis);
  else
    fields.write("axis", axis.empty() ? Json() : axis.size() == 1 ? Json(axis[0]) : Json(axis));
}

}  // namespace

Tensor dice(const Tensor& y_true, const Tensor& y_pred, const std::vector<int>& axis) {
  require_same_shape("dice", y_true, y_pred, "");
  const Tensor target = as_float(y_true);
  const Tensor both = 2 * sum(target * y_pred, axis);
  return 1 - both / (sum(target, axis) + sum(y_pred, axis) + kLossEpsilon);
}

Tensor tversky(const Tensor& y_true, const Tensor& y_pred, double alpha, double beta,
               const std::vector<int>& axis) {
  require_same_shape("tversky", y_true, y_pred, "");
  const Tensor target = as_float(y_true), both = sum(target * y_pred, axis);
  const Tensor missed = sum((1 - y_pred) * target, axis), wrong = sum(y_pred * (1 - target), axis);
  return 1 - both / (both + missed * alpha + wrong * beta + kLossEpsilon);
}

void describe(Fields& fields, DiceOptions& options) {
  describe_loss(fields, options);
  with_axis(fields, options.axis);
}

void describe(Fields& fields, TverskyOptions& options) {
  describe_loss(fields, options).with("alpha", options.alpha).with("beta", options.beta);
  with_axis(fields, options.axis);
}

Dice::Dice(const DiceOptions& options)
    : Loss(LossOf("Dice", "dice", options,
                  [axis = options.axis](const Tensor& y_true, const Tensor& y_pred) {
                    return dice(y_true, y_pred, axis);
                  })) {}

Tversky::Tversky(const TverskyOptions& options)
    : Loss(LossOf("Tversky", "tversky", options,
                  [options](const Tensor& y_true, const Tensor& y_pred) {
                    return tversky(y_true, y_pred, options.alpha, options.beta, options.axis);
                  })) {}

}  // namespace plimsoll
