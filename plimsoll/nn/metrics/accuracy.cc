#include "plimsoll/nn/metrics/accuracy.h"

#include "plimsoll/base/error.h"
#include "plimsoll/nn/as_float.h"
#include "plimsoll/nn/losses/loss_arguments.h"
#include "plimsoll/nn/metrics/mean_metric.h"
#include "plimsoll/nn/metrics/metric_of.h"
#include "plimsoll/ops/elementwise/elementwise.h"
#include "plimsoll/ops/movement/movement.h"
#include "plimsoll/ops/reduction/reduction.h"

namespace plimsoll {
namespace {

void require_shape(const char* who, const Tensor& y_true, const Tensor& y_pred,
                   const Shape& expected) {
  if (y_true.shape() != expected)
    throw InvalidArgument(std::string(who) + ": y_true has shape " + y_true.shape().to_string() +
                          ", y_pred " + y_pred.shape().to_string() + ", expected y_true of " +
                          expected.to_string());
}

Tensor matches(const Tensor& a, const Tensor& b) {
  return cast(equal(a, b), DType::float32);
}

// One number per row of y_pred.
Tensor class_numbers(const char* who, const Tensor& y_true, const Tensor& y_pred) {
  if (y_pred.rank() == 0)
    throw InvalidArgument(std::string(who) + ": y_pred is a scalar, expected classes");
  Tensor labels = y_true;
  if (labels.rank() == y_pred.rank() && labels.shape().back() == 1) labels = squeeze(labels, -1);
  require_shape(who, labels, y_pred, y_pred.shape().without(y_pred.rank() - 1));
  return cast(labels, DType::int32);
}

// True where fewer than k scores of the row are larger than the label's; false where the label's
// score is not finite or there is no such class.
Tensor in_top_k(const Tensor& labels, const Tensor& scores, int64_t k) {
  const int64_t classes = scores.shape().back();
  const Tensor chosen = not_equal(one_hot(labels, classes), 0);
  const Tensor score = sum(select(chosen, scores, scalar(0)), {-1}, true);
  const Tensor larger = sum(as_float(greater(scores, score)), {-1});
  const Tensor is_class = logical_and(greater_equal(labels, 0), less(labels, classes));
  const Tensor is_finite = equal(sum(score * 0, {-1}), 0);
  return as_float(logical_and(less(larger, k), logical_and(is_class, is_finite)));
}

}  // namespace

Tensor accuracy(const Tensor& y_true, const Tensor& y_pred) {
  const auto [truth, prediction] = match_rank(y_true, y_pred);
  require_shape("accuracy", truth, prediction, prediction.shape());
  return matches(as_float(truth), as_float(prediction));
}

Tensor binary_accuracy(const Tensor& y_true, const Tensor& y_pred, double threshold) {
  const auto [truth, prediction] = match_rank(y_true, y_pred);
  require_shape("binary_accuracy", truth, prediction, prediction.shape());
  const Tensor positive = greater(as_float(prediction), threshold);
  return matches(as_float(truth), cast(positive, DType::float32));
}

Tensor categorical_accuracy(const Tensor& y_true, const Tensor& y_pred) {
  require_shape("categorical_accuracy", y_true, y_pred, y_pred.shape());
  return matches(argmax(as_float(y_true)), argmax(y_pred));
}

Tensor sparse_categorical_accuracy(const Tensor& y_true, const Tensor& y_pred) {
  return matches(class_numbers("sparse_categorical_accuracy", y_true, y_pred), argmax(y_pred));
}

Tensor top_k_categorical_accuracy(const Tensor& y_true, const Tensor& y_pred, int64_t k) {
  require_shape("top_k_categorical_accuracy", y_true, y_pred, y_pred.shape());
  return in_top_k(argmax(as_float(y_true)), y_pred, k);
}

Tensor sparse_top_k_categorical_accuracy(const Tensor& y_true, const Tensor& y_pred, int64_t k,
                                         bool from_sorted_ids) {
  const Tensor labels = class_numbers("sparse_top_k_categorical_accuracy", y_true, y_pred);
  if (!from_sorted_ids) return in_top_k(labels, as_float(y_pred), k);
  std::vector<int64_t> begin(static_cast<size_t>(y_pred.rank()), 0), size(begin.size(), -1);
  size.back() = std::min(k, y_pred.shape().back());
  const Tensor first = slice(as_float(y_pred), begin, size);
  return max(matches(first, expand_dims(as_float(labels), -1)), {-1});
}

Tensor accuracy_by_shapes(const Tensor& y_true, const Tensor& y_pred) {
  switch (targets_by_shapes(y_true.shape(), y_pred.shape())) {
    case Targets::binary:
      return binary_accuracy(y_true, y_pred);
    case Targets::class_numbers:
      return sparse_categorical_accuracy(y_true, y_pred);
    case Targets::one_hot:
      break;
  }
  return categorical_accuracy(y_true, y_pred);
}

void describe(Fields& fields, BinaryAccuracyOptions& options) {
  describe_metric(fields, options).with("threshold", options.threshold);
}
void describe(Fields& fields, TopKCategoricalAccuracyOptions& options) {
  describe_metric(fields, options).with("k", options.k);
}
void describe(Fields& fields, SparseTopKCategoricalAccuracyOptions& options) {
  describe_metric(fields, options).with("k", options.k);
  if (fields.reading() || options.from_sorted_ids)
    fields.with("from_sorted_ids", options.from_sorted_ids);
}

Accuracy::Accuracy(const MetricOptions& options)
    : Metric(mean_of("Accuracy", "accuracy", options, Direction::up, accuracy)) {}

BinaryAccuracy::BinaryAccuracy(const BinaryAccuracyOptions& options)
    : Metric(mean_of("BinaryAccuracy", "binary_accuracy", options, Direction::up,
                     [threshold = options.threshold](const Tensor& y_true, const Tensor& y_pred) {
                       return binary_accuracy(y_true, y_pred, threshold);
                     })) {}

CategoricalAccuracy::CategoricalAccuracy(const MetricOptions& options)
    : Metric(mean_of("CategoricalAccuracy", "categorical_accuracy", options, Direction::up,
                     categorical_accuracy)) {}

SparseCategoricalAccuracy::SparseCategoricalAccuracy(const MetricOptions& options)
    : Metric(mean_of("SparseCategoricalAccuracy", "sparse_categorical_accuracy", options,
                     Direction::up, sparse_categorical_accuracy)) {}

TopKCategoricalAccuracy::TopKCategoricalAccuracy(const TopKCategoricalAccuracyOptions& options)
    : Metric(mean_of("TopKCategoricalAccuracy", "top_k_categorical_accuracy", options,
                     Direction::up, [k = options.k](const Tensor& y_true, const Tensor& y_pred) {
                       return top_k_categorical_accuracy(y_true, y_pred, k);
                     })) {}

SparseTopKCategoricalAccuracy::SparseTopKCategoricalAccuracy(
    const SparseTopKCategoricalAccuracyOptions& options)
    : Metric(mean_of("SparseTopKCategoricalAccuracy", "sparse_top_k_categorical_accuracy", options,
                     Direction::up, [options](const Tensor& y_true, const Tensor& y_pred) {
                       return sparse_top_k_categorical_accuracy(y_true, y_pred, options.k,
                                                                options.from_sorted_ids);
                     })) {}

}  // namespace plimsoll
