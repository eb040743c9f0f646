#include "plimsoll/nn/losses/crossentropy.h"

#include "plimsoll/base/error.h"
#include "plimsoll/nn/losses/crossentropy_parts.h"
#include "plimsoll/nn/losses/loss_arguments.h"
#include "plimsoll/nn/losses/loss_of.h"
#include "plimsoll/ops/elementwise/elementwise.h"
#include "plimsoll/ops/movement/movement.h"
#include "plimsoll/ops/reduction/reduction.h"

namespace plimsoll {
namespace {

// One number for each row of y_pred, whose classes are last.
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

// y_pred with its classes last, and y_true in the matching shape: a class axis of one element is
// removed.
struct Rows {
  Tensor y_true, y_pred;
};
Rows rows_of(const Tensor& y_true, const Tensor& y_pred, int axis) {
  const bool has_class_axis = y_true.rank() == y_pred.rank();
  return {has_class_axis ? with_axis_last(y_true, axis) : y_true, with_axis_last(y_pred, axis)};
}

LossFunction mask_of(std::optional<int64_t> ignore_class, int axis) {
  if (!ignore_class) return {};
  return [=](const Tensor& y_true, const Tensor& y_pred) {
    const Rows rows = rows_of(y_true, y_pred, axis);
    return not_equal(class_numbers(rows.y_true, rows.y_pred), *ignore_class);
  };
}

}  // namespace

Tensor binary_crossentropy(const Tensor& y_true, const Tensor& y_pred, bool from_logits,
                           double label_smoothing, int axis) {
  require_same_shape("binary_crossentropy", y_true, y_pred, "");
  const Tensor target = smoothed(y_true, label_smoothing, 0.5);
  const Tensor logits = from_logits ? y_pred : sigmoid_input(y_pred);
  return mean(logits.defined() ? binary_from_logits(target, logits)
                               : binary_from_probabilities(target, y_pred),
              {axis});
}

Tensor categorical_crossentropy(const Tensor& y_true, const Tensor& y_pred, bool from_logits,
                                double label_smoothing, int axis) {
  require_same_shape("categorical_crossentropy", y_true, y_pred,
                     " (for class numbers use sparse_categorical_crossentropy)");
  const double classes = static_cast<double>(y_pred.shape().back());
  const Tensor target = with_axis_last(smoothed(y_true, label_smoothing, 1 / classes), axis);
  const Tensor prediction = with_axis_last(y_pred, axis);
  const Tensor logits = from_logits ? prediction : softmax_input(prediction);
  if (logits.defined()) return softmax_cross_entropy(logits, target);
  const Tensor probability = prediction / sum(prediction, {-1}, true);
  return -sum(target * log(clipped(probability)), {-1});
}

Tensor sparse_categorical_crossentropy(const Tensor& y_true, const Tensor& y_pred, bool from_logits,
                                       std::optional<int64_t> ignore_class, int axis) {
  const Rows rows = rows_of(y_true, y_pred, axis);
  Tensor labels = class_numbers(rows.y_true, rows.y_pred);
  const Tensor counts = ignore_class ? not_equal(labels, *ignore_class) : Tensor();
  // The class to ignore need not be a valid class number.
  if (counts.defined()) labels = select(counts, labels, scalar(0, labels.dtype()));
  const Tensor logits = from_logits ? rows.y_pred : softmax_input(rows.y_pred);
  const Tensor values =
      sparse_softmax_cross_entropy(logits.defined() ? logits : log(clipped(rows.y_pred)), labels);
  return counts.defined() ? select(counts, values, scalar(0)) : values;
}

Tensor crossentropy_by_shapes(const Tensor& y_true, const Tensor& y_pred) {
  switch (targets_by_shapes(y_true.shape(), y_pred.shape())) {
    case Targets::binary:
      return binary_crossentropy(y_true, y_pred);
    case Targets::class_numbers:
      return sparse_categorical_crossentropy(y_true, y_pred);
    case Targets::one_hot:
      break;
  }
  return categorical_crossentropy(y_true, y_pred);
}

void describe(Fields& fields, BinaryCrossentropyOptions& options) {
  describe_loss(fields, options)
      .with("from_logits", options.from_logits)
      .with("label_smoothing", options.label_smoothing)
      .with("axis", options.axis);
}

void describe(Fields& fields, CategoricalCrossentropyOptions& options) {
  describe_loss(fields, options)
      .with("from_logits", options.from_logits)
      .with("label_smoothing", options.label_smoothing)
      .with("axis", options.axis);
}

// Keras does not write the axis. Here it is written if it is not the default, so that it is not
// lost.
void describe(Fields& fields, SparseCategoricalCrossentropyOptions& options) {
  describe_loss(fields, options)
      .with("from_logits", options.from_logits)
      .with("ignore_class", options.ignore_class);
  if (fields.reading() || options.axis != -1) fields.with("axis", options.axis);
}

BinaryCrossentropy::BinaryCrossentropy(const BinaryCrossentropyOptions& options)
    : Loss(LossOf("BinaryCrossentropy", "binary_crossentropy", options,
                  [options](const Tensor& y_true, const Tensor& y_pred) {
                    return binary_crossentropy(y_true, y_pred, options.from_logits,
                                               options.label_smoothing, options.axis);
                  })) {
  set_targets({.kind = LossTargets::Kind::probabilities});
}

CategoricalCrossentropy::CategoricalCrossentropy(const CategoricalCrossentropyOptions& options)
    : Loss(LossOf("CategoricalCrossentropy", "categorical_crossentropy", options,
                  [options](const Tensor& y_true, const Tensor& y_pred) {
                    return categorical_crossentropy(y_true, y_pred, options.from_logits,
                                                    options.label_smoothing, options.axis);
                  })) {
  set_targets({.kind = LossTargets::Kind::class_vectors, .axis = options.axis});
}

SparseCategoricalCrossentropy::SparseCategoricalCrossentropy(
    const SparseCategoricalCrossentropyOptions& options)
    : Loss(LossOf(
          "SparseCategoricalCrossentropy", "sparse_categorical_crossentropy", options,
          [options](const Tensor& y_true, const Tensor& y_pred) {
            return sparse_categorical_crossentropy(y_true, y_pred, options.from_logits,
                                                   options.ignore_class, options.axis);
          },
          mask_of(options.ignore_class, options.axis))) {
  set_targets({.kind = LossTargets::Kind::class_numbers,
               .axis = options.axis,
               .ignored = options.ignore_class});
}

}  // namespace plimsoll
