#include "plimsoll/nn/losses/focal_crossentropy.h"

#include "plimsoll/nn/losses/crossentropy_parts.h"
#include "plimsoll/nn/losses/loss_arguments.h"
#include "plimsoll/nn/losses/loss_of.h"
#include "plimsoll/ops/elementwise/elementwise.h"
#include "plimsoll/ops/reduction/reduction.h"

namespace plimsoll {
namespace {

Tensor binary_focal(const BinaryFocalCrossentropyOptions& options, const Tensor& y_true,
                    const Tensor& y_pred) {
  require_same_shape("binary_focal_crossentropy", y_true, y_pred, "");
  const Tensor target = smoothed(y_true, options.label_smoothing, 0.5);
  const Tensor p = options.from_logits ? sigmoid(y_pred) : y_pred;
  // As in Keras, the logits are used even if the sigmoid was added here.
  const Tensor logits = sigmoid_input(p);
  const Tensor entropy =
      logits.defined() ? binary_from_logits(target, logits) : binary_from_probabilities(target, p);
  const Tensor right = target * p + (1 - target) * (1 - p);
  Tensor loss = power(1 - right, scalar(options.gamma)) * entropy;
  if (options.apply_class_balancing)
    loss = (target * options.alpha + (1 - target) * (1 - options.alpha)) * loss;
  return mean(loss, {options.axis});
}

Tensor categorical_focal(const CategoricalFocalCrossentropyOptions& options, const Tensor& y_true,
                         const Tensor& y_pred) {
  require_same_shape("categorical_focal_crossentropy", y_true, y_pred, "");
  const auto classes = static_cast<double>(y_pred.shape().back());
  const Tensor target = smoothed(y_true, options.label_smoothing, 1 / classes);
  const Tensor given = options.from_logits ? softmax(y_pred, options.axis) : y_pred;
  const Tensor p = clipped(given / sum(given, {options.axis}, true));
  const Tensor weight = options.alpha * power(1 - p, scalar(options.gamma));
  return -sum(weight * target * log(p), {options.axis});
}

}  // namespace

void describe(Fields& fields, BinaryFocalCrossentropyOptions& options) {
  describe_loss(fields, options)
      .with("from_logits", options.from_logits)
      .with("label_smoothing", options.label_smoothing)
      .with("axis", options.axis)
      .with("apply_class_balancing", options.apply_class_balancing)
      .with("alpha", options.alpha)
      .with("gamma", options.gamma);
}

void describe(Fields& fields, CategoricalFocalCrossentropyOptions& options) {
  describe_loss(fields, options)
      .with("from_logits", options.from_logits)
      .with("label_smoothing", options.label_smoothing)
      .with("axis", options.axis)
      .with("alpha", options.alpha)
      .with("gamma", options.gamma);
}

BinaryFocalCrossentropy::BinaryFocalCrossentropy(const BinaryFocalCrossentropyOptions& options)
    : Loss(LossOf("BinaryFocalCrossentropy", "binary_focal_crossentropy", options,
                  [options](const Tensor& y_true, const Tensor& y_pred) {
                    return binary_focal(options, y_true, y_pred);
                  })) {
  set_targets({.kind = LossTargets::Kind::probabilities});
}

CategoricalFocalCrossentropy::CategoricalFocalCrossentropy(
    const CategoricalFocalCrossentropyOptions& options)
    : Loss(LossOf("CategoricalFocalCrossentropy", "categorical_focal_crossentropy", options,
                  [options](const Tensor& y_true, const Tensor& y_pred) {
                    return categorical_focal(options, y_true, y_pred);
                  })) {
  set_targets({.kind = LossTargets::Kind::class_vectors, .axis = options.axis});
}

}  // namespace plimsoll
