// Losses as metrics, by Keras's names: the mean over samples. In a namespace of their own, for the
// losses have the same names.
#pragma once

#include <optional>

#include "plimsoll/nn/metrics/metric.h"

namespace plimsoll::metrics {

struct MeanSquaredError : Metric {
  explicit MeanSquaredError(const MetricOptions& options = {});
};
struct MeanAbsoluteError : Metric {
  explicit MeanAbsoluteError(const MetricOptions& options = {});
};
struct MeanAbsolutePercentageError : Metric {
  explicit MeanAbsolutePercentageError(const MetricOptions& options = {});
};
struct MeanSquaredLogarithmicError : Metric {
  explicit MeanSquaredLogarithmicError(const MetricOptions& options = {});
};
struct Hinge : Metric {
  explicit Hinge(const MetricOptions& options = {});
};
struct SquaredHinge : Metric {
  explicit SquaredHinge(const MetricOptions& options = {});
};
struct CategoricalHinge : Metric {
  explicit CategoricalHinge(const MetricOptions& options = {});
};
struct KLDivergence : Metric {
  explicit KLDivergence(const MetricOptions& options = {});
};
struct Poisson : Metric {
  explicit Poisson(const MetricOptions& options = {});
};

struct CosineSimilarityOptions {
  std::string name = "cosine_similarity";
  int axis = -1;
};
void describe(Fields& fields, CosineSimilarityOptions& options);
// The cosine itself; the loss is the cosine times -1.
struct CosineSimilarity : Metric {
  explicit CosineSimilarity(const CosineSimilarityOptions& options = {});
};

struct BinaryCrossentropyOptions {
  std::string name = "binary_crossentropy";
  bool from_logits = false;
  double label_smoothing = 0;
};
void describe(Fields& fields, BinaryCrossentropyOptions& options);
struct BinaryCrossentropy : Metric {
  explicit BinaryCrossentropy(const BinaryCrossentropyOptions& options = {});
};

struct CategoricalCrossentropyOptions {
  std::string name = "categorical_crossentropy";
  bool from_logits = false;
  double label_smoothing = 0;
  int axis = -1;
};
void describe(Fields& fields, CategoricalCrossentropyOptions& options);
struct CategoricalCrossentropy : Metric {
  explicit CategoricalCrossentropy(const CategoricalCrossentropyOptions& options = {});
};

struct SparseCategoricalCrossentropyOptions {
  std::string name = "sparse_categorical_crossentropy";
  bool from_logits = false;
  std::optional<int64_t> ignore_class = {};
  int axis = -1;
};
void describe(Fields& fields, SparseCategoricalCrossentropyOptions& options);
struct SparseCategoricalCrossentropy : Metric {
  explicit SparseCategoricalCrossentropy(const SparseCategoricalCrossentropyOptions& options = {});
};

}  // namespace plimsoll::metrics
