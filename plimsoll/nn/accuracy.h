// How often predictions are right.
#pragma once

#include "plimsoll/nn/metric.h"

namespace plimsoll {

struct AccuracyOptions {
  std::string name = "accuracy";
};
// Predictions equal targets.
struct Accuracy : Metric {
  explicit Accuracy(const AccuracyOptions& options = {});
};

struct BinaryAccuracyOptions {
  double threshold = 0.5;
  std::string name = "binary_accuracy";
};
// A prediction above the threshold is a 1.
struct BinaryAccuracy : Metric {
  explicit BinaryAccuracy(const BinaryAccuracyOptions& options = {});
};

struct CategoricalAccuracyOptions {
  std::string name = "categorical_accuracy";
};
// The largest prediction stands where the largest target does.
struct CategoricalAccuracy : Metric {
  explicit CategoricalAccuracy(const CategoricalAccuracyOptions& options = {});
};

struct SparseCategoricalAccuracyOptions {
  std::string name = "sparse_categorical_accuracy";
};
// The largest prediction is the one whose number is the target.
struct SparseCategoricalAccuracy : Metric {
  explicit SparseCategoricalAccuracy(const SparseCategoricalAccuracyOptions& options = {});
};

// Float32, 1 where right and 0 where wrong, one value a sample (a value an element for the first
// two).
Tensor accuracy(const Tensor& y_true, const Tensor& y_pred);
Tensor binary_accuracy(const Tensor& y_true, const Tensor& y_pred, double threshold = 0.5);
Tensor categorical_accuracy(const Tensor& y_true, const Tensor& y_pred);
Tensor sparse_categorical_accuracy(const Tensor& y_true, const Tensor& y_pred);
// The one of the last three that the shapes call for: what "accuracy" means to compile().
Tensor accuracy_by_shapes(const Tensor& y_true, const Tensor& y_pred);

}  // namespace plimsoll
