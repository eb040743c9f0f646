#include "plimsoll/nn/accuracy.h"

#include "plimsoll/base/error.h"
#include "plimsoll/nn/as_float.h"
#include "plimsoll/nn/match_rank.h"
#include "plimsoll/ops/elementwise.h"
#include "plimsoll/ops/movement.h"
#include "plimsoll/ops/reduction.h"

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
  Tensor labels = y_true;
  if (labels.rank() == y_pred.rank() && labels.rank() > 0 && labels.shape().back() == 1)
    labels = squeeze(labels, -1);
  if (y_pred.rank() == 0)
    throw InvalidArgument("sparse_categorical_accuracy: y_pred is a scalar, expected classes");
  require_shape("sparse_categorical_accuracy", labels, y_pred,
                y_pred.shape().without(y_pred.rank() - 1));
  return matches(cast(labels, DType::int32), argmax(y_pred));
}

Tensor accuracy_by_shapes(const Tensor& y_true, const Tensor& y_pred) {
  const int64_t classes = y_pred.rank() == 0 ? 1 : y_pred.shape().back();
  const bool column = y_true.rank() > 0 && y_true.shape().back() == 1;
  if (classes == 1) return binary_accuracy(y_true, y_pred);
  if (y_true.rank() < y_pred.rank() || column) return sparse_categorical_accuracy(y_true, y_pred);
  return categorical_accuracy(y_true, y_pred);
}

Accuracy::Accuracy(const AccuracyOptions& options) : Metric(options.name, accuracy) {}

BinaryAccuracy::BinaryAccuracy(const BinaryAccuracyOptions& options)
    : Metric(options.name,
             [threshold = options.threshold](const Tensor& y_true, const Tensor& y_pred) {
               return binary_accuracy(y_true, y_pred, threshold);
             }) {}

CategoricalAccuracy::CategoricalAccuracy(const CategoricalAccuracyOptions& options)
    : Metric(options.name, categorical_accuracy) {}

SparseCategoricalAccuracy::SparseCategoricalAccuracy(
    const SparseCategoricalAccuracyOptions& options)
    : Metric(options.name, sparse_categorical_accuracy) {}

}  // namespace plimsoll
