// How often predictions are right.
#pragma once

#include "plimsoll/nn/metrics/metric.h"

namespace plimsoll {

// Right where the prediction equals the target.
struct Accuracy : Metric {
  explicit Accuracy(const MetricOptions& options = {});
};

struct BinaryAccuracyOptions {
  double threshold = 0.5;
  std::string name = "binary_accuracy";
};
void describe(Fields& fields, BinaryAccuracyOptions& options);
// A prediction above the threshold is a 1.
struct BinaryAccuracy : Metric {
  explicit BinaryAccuracy(const BinaryAccuracyOptions& options = {});
};

// Right where the largest prediction and the largest target are at the same position.
struct CategoricalAccuracy : Metric {
  explicit CategoricalAccuracy(const MetricOptions& options = {});
};

// The largest prediction is the one whose number is the target.
struct SparseCategoricalAccuracy : Metric {
  explicit SparseCategoricalAccuracy(const MetricOptions& options = {});
};

struct TopKCategoricalAccuracyOptions {
  int64_t k = 5;
  std::string name = "top_k_categorical_accuracy";
};
void describe(Fields& fields, TopKCategoricalAccuracyOptions& options);
// Fewer than k predictions are larger than that of the largest target.
struct TopKCategoricalAccuracy : Metric {
  explicit TopKCategoricalAccuracy(const TopKCategoricalAccuracyOptions& options = {});
};

struct SparseTopKCategoricalAccuracyOptions {
  int64_t k = 5;
  std::string name = "sparse_top_k_categorical_accuracy";
  bool from_sorted_ids = false;  // predictions are class numbers, the likeliest first
};
void describe(Fields& fields, SparseTopKCategoricalAccuracyOptions& options);
// The same with class numbers as targets.
struct SparseTopKCategoricalAccuracy : Metric {
  explicit SparseTopKCategoricalAccuracy(const SparseTopKCategoricalAccuracyOptions& options = {});
};

// Float32, 1 where right and 0 where wrong, one value per sample (one per element for the first
// two).
Tensor accuracy(const Tensor& y_true, const Tensor& y_pred);
Tensor binary_accuracy(const Tensor& y_true, const Tensor& y_pred, double threshold = 0.5);
Tensor categorical_accuracy(const Tensor& y_true, const Tensor& y_pred);
Tensor sparse_categorical_accuracy(const Tensor& y_true, const Tensor& y_pred);
Tensor top_k_categorical_accuracy(const Tensor& y_true, const Tensor& y_pred, int64_t k = 5);
Tensor sparse_top_k_categorical_accuracy(const Tensor& y_true, const Tensor& y_pred, int64_t k = 5,
                                         bool from_sorted_ids = false);
// The one of the second to the fourth that the shapes call for: what "accuracy" means to compile().
Tensor accuracy_by_shapes(const Tensor& y_true, const Tensor& y_pred);

}  // namespace plimsoll
