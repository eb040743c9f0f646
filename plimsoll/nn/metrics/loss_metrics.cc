#include "plimsoll/nn/metrics/loss_metrics.h"

#include "plimsoll/nn/losses/crossentropy.h"
#include "plimsoll/nn/losses/divergence.h"
#include "plimsoll/nn/losses/hinge.h"
#include "plimsoll/nn/losses/mean_errors.h"
#include "plimsoll/nn/metrics/mean_metric.h"
#include "plimsoll/nn/metrics/metric_of.h"
#include "plimsoll/ops/elementwise/elementwise.h"

namespace plimsoll::metrics {
namespace {

// The values of a loss; smaller is better.
template <class Options>
Metric mean_of_loss(std::string_view class_name, const Options& options, const Loss& loss,
                    Direction direction = Direction::down) {
  return mean_of(
      class_name, loss.name(), options, direction,
      [loss](const Tensor& y_true, const Tensor& y_pred) { return loss.values(y_true, y_pred); },
      [loss](const Tensor& y_true, const Tensor& y_pred) {
        return loss.value_mask(y_true, y_pred);
      });
}

// Written as an integer if it is one, as Keras's default is.
void with_label_smoothing(Fields& fields, double& smoothing) {
  int64_t none = 0;
  if (fields.reading() || smoothing != 0)
    fields.with("label_smoothing", smoothing);
  else
    fields.with("label_smoothing", none);
}

}  // namespace

void describe(Fields& fields, CosineSimilarityOptions& options) {
  describe_metric(fields, options);
  if (fields.reading() || options.axis != -1) fields.with("axis", options.axis);
}

void describe(Fields& fields, BinaryCrossentropyOptions& options) {
  describe_metric(fields, options).with("from_logits", options.from_logits);
  with_label_smoothing(fields, options.label_smoothing);
}

void describe(Fields& fields, CategoricalCrossentropyOptions& options) {
  describe_metric(fields, options).with("from_logits", options.from_logits);
  with_label_smoothing(fields, options.label_smoothing);
  fields.with("axis", options.axis);
}

void describe(Fields& fields, SparseCategoricalCrossentropyOptions& options) {
  describe_metric(fields, options)
      .with("from_logits", options.from_logits)
      .with("ignore_class", options.ignore_class)
      .with("axis", options.axis);
}

MeanSquaredError::MeanSquaredError(const MetricOptions& options)
    : Metric(mean_of_loss("MeanSquaredError", options, plimsoll::MeanSquaredError())) {}
MeanAbsoluteError::MeanAbsoluteError(const MetricOptions& options)
    : Metric(mean_of_loss("MeanAbsoluteError", options, plimsoll::MeanAbsoluteError())) {}
MeanAbsolutePercentageError::MeanAbsolutePercentageError(const MetricOptions& options)
    : Metric(mean_of_loss("MeanAbsolutePercentageError", options,
                          plimsoll::MeanAbsolutePercentageError())) {}
MeanSquaredLogarithmicError::MeanSquaredLogarithmicError(const MetricOptions& options)
    : Metric(mean_of_loss("MeanSquaredLogarithmicError", options,
                          plimsoll::MeanSquaredLogarithmicError())) {}
Hinge::Hinge(const MetricOptions& options)
    : Metric(mean_of_loss("Hinge", options, plimsoll::Hinge())) {}
SquaredHinge::SquaredHinge(const MetricOptions& options)
    : Metric(mean_of_loss("SquaredHinge", options, plimsoll::SquaredHinge())) {}
CategoricalHinge::CategoricalHinge(const MetricOptions& options)
    : Metric(mean_of_loss("CategoricalHinge", options, plimsoll::CategoricalHinge())) {}
KLDivergence::KLDivergence(const MetricOptions& options)
    : Metric(mean_of_loss("KLDivergence", options, plimsoll::KLDivergence(), Direction::unknown)) {}
Poisson::Poisson(const MetricOptions& options)
    : Metric(mean_of_loss("Poisson", options, plimsoll::Poisson(), Direction::unknown)) {}

CosineSimilarity::CosineSimilarity(const CosineSimilarityOptions& options)
    : Metric(mean_of("CosineSimilarity", "cosine_similarity", options, Direction::up,
                     [loss = plimsoll::CosineSimilarity({.axis = options.axis})](
                         const Tensor& y_true, const Tensor& y_pred) {
                       return -loss.values(y_true, y_pred);
                     })) {}

BinaryCrossentropy::BinaryCrossentropy(const BinaryCrossentropyOptions& options)
    : Metric(mean_of_loss(
          "BinaryCrossentropy", options,
          plimsoll::BinaryCrossentropy(
              {.from_logits = options.from_logits, .label_smoothing = options.label_smoothing}))) {}

CategoricalCrossentropy::CategoricalCrossentropy(const CategoricalCrossentropyOptions& options)
    : Metric(mean_of_loss(
          "CategoricalCrossentropy", options,
          plimsoll::CategoricalCrossentropy({.from_logits = options.from_logits,
                                             .label_smoothing = options.label_smoothing,
                                             .axis = options.axis}))) {}

SparseCategoricalCrossentropy::SparseCategoricalCrossentropy(
    const SparseCategoricalCrossentropyOptions& options)
    : Metric(mean_of_loss(
          "SparseCategoricalCrossentropy", options,
          plimsoll::SparseCategoricalCrossentropy({.from_logits = options.from_logits,
                                                   .ignore_class = options.ignore_class,
                                                   .axis = options.axis}))) {}

}  // namespace plimsoll::metrics
