#include "plimsoll/nn/crossentropy.h"

#include "plimsoll/base/error.h"
#include "plimsoll/nn/as_float.h"
#include "plimsoll/nn/loss_arguments.h"
#include "plimsoll/ops/elementwise.h"
#include "plimsoll/ops/movement.h"
#include "plimsoll/ops/reduction.h"

namespace plimsoll {
namespace {

constexpr double kEpsilon = 1e-7;  // how near to 0 and 1 a probability may come

Tensor clipped(const Tensor& probability) {
  return clip(probability, kEpsilon, 1 - kEpsilon);
}

// Draws the targets towards `rest` by the share `smoothing`.
Tensor smoothed(const Tensor& y_true, double smoothing, double rest) {
  const Tensor target = as_float(y_true);
  return smoothing == 0 ? target : target * (1 - smoothing) + smoothing * rest;
}

// Every term is a sum of what is not negative: nothing cancels, however large the logit.
Tensor binary_from_logits(const Tensor& target, const Tensor& logit) {
  return target * softplus(-logit) + (1 - target) * softplus(logit);
}

Tensor binary_from_probabilities(const Tensor& target, const Tensor& probability) {
  const Tensor p = clipped(probability);
  return -(target * log(p) + (1 - target) * log(1 - p));
}

Tensor class_numbers(const Tensor& y_true, const Tensor& y_pred) {
  Tensor labels = y_true;
  if (labels.rank() == y_pred.rank() && labels.rank() > 0 && labels.shape().back() == 1)
    labels = squeeze(labels, -1);
  const bool fits =
      y_pred.rank() > 0 && labels.shape() == y_pred.shape().without(y_pred.rank() - 1);
  if (!fits)
    throw InvalidArgument("sparse_categorical_crossentropy: y_true has shape " +
                          y_true.shape().to_string() + ", y_pred " + y_pred.shape().to_string() +
                          ", expected one class number for each row of y_pred" +
                          (y_true.shape() == y_pred.shape()
                               ? " (for one-hot rows use categorical_crossentropy)"
                               : ""));
  const bool is_index = labels.dtype() == DType::int32 || labels.dtype() == DType::int64;
  return is_index ? labels : cast(labels, DType::int64);
}

LossFunction mask_of(std::optional<int64_t> ignore_class) {
  if (!ignore_class) return {};
  return [ignored = *ignore_class](const Tensor& y_true, const Tensor& y_pred) {
    return not_equal(class_numbers(y_true, y_pred), ignored);
  };
}

}  // namespace

Tensor binary_crossentropy(const Tensor& y_true, const Tensor& y_pred, bool from_logits,
                           double label_smoothing) {
  require_same_shape("binary_crossentropy", y_true, y_pred, "");
  const Tensor target = smoothed(y_true, label_smoothing, 0.5);
  const Tensor logits = from_logits ? y_pred : sigmoid_input(y_pred);
  return mean(logits.defined() ? binary_from_logits(target, logits)
                               : binary_from_probabilities(target, y_pred),
              {-1});
}

Tensor categorical_crossentropy(const Tensor& y_true, const Tensor& y_pred, bool from_logits,
                                double label_smoothing) {
  require_same_shape("categorical_crossentropy", y_true, y_pred,
                     " (for class numbers use sparse_categorical_crossentropy)");
  const double classes = static_cast<double>(y_pred.shape().back());
  const Tensor target = smoothed(y_true, label_smoothing, 1 / classes);
  const Tensor logits = from_logits ? y_pred : softmax_input(y_pred);
  if (logits.defined()) return softmax_cross_entropy(logits, target);
  const Tensor probability = y_pred / sum(y_pred, {-1}, true);
  return -sum(target * log(clipped(probability)), {-1});
}

Tensor sparse_categorical_crossentropy(const Tensor& y_true, const Tensor& y_pred, bool from_logits,
                                       std::optional<int64_t> ignore_class) {
  Tensor labels = class_numbers(y_true, y_pred);
  const Tensor counts = ignore_class ? not_equal(labels, *ignore_class) : Tensor();
  // The number of a class to ignore may be that of no class.
  if (counts.defined()) labels = select(counts, labels, scalar(0, labels.dtype()));
  const Tensor logits = from_logits ? y_pred : softmax_input(y_pred);
  const Tensor values =
      sparse_softmax_cross_entropy(logits.defined() ? logits : log(clipped(y_pred)), labels);
  return counts.defined() ? select(counts, values, scalar(0)) : values;
}

BinaryCrossentropy::BinaryCrossentropy(const BinaryCrossentropyOptions& options)
    : Loss(
          options.name,
          [from_logits = options.from_logits, smoothing = options.label_smoothing](
              const Tensor& y_true, const Tensor& y_pred) {
            return binary_crossentropy(y_true, y_pred, from_logits, smoothing);
          },
          plimsoll::reduction(options.reduction)) {}

CategoricalCrossentropy::CategoricalCrossentropy(const CategoricalCrossentropyOptions& options)
    : Loss(
          options.name,
          [from_logits = options.from_logits, smoothing = options.label_smoothing](
              const Tensor& y_true, const Tensor& y_pred) {
            return categorical_crossentropy(y_true, y_pred, from_logits, smoothing);
          },
          plimsoll::reduction(options.reduction)) {}

SparseCategoricalCrossentropy::SparseCategoricalCrossentropy(
    const SparseCategoricalCrossentropyOptions& options)
    : Loss(
          options.name,
          [from_logits = options.from_logits, ignore_class = options.ignore_class](
              const Tensor& y_true, const Tensor& y_pred) {
            return sparse_categorical_crossentropy(y_true, y_pred, from_logits, ignore_class);
          },
          plimsoll::reduction(options.reduction), mask_of(options.ignore_class)) {}

}  // namespace plimsoll
