// Metrics of regression that are not losses.
#pragma once

#include "plimsoll/nn/metrics/metric.h"

namespace plimsoll {

struct RootMeanSquaredError : Metric {
  explicit RootMeanSquaredError(const MetricOptions& options = {});
};

struct LogCoshError : Metric {
  explicit LogCoshError(const MetricOptions& options = {});
};

struct R2ScoreOptions {
  // Of the outputs: or "variance_weighted_average", or "none".
  std::string class_aggregation = "uniform_average";
  int64_t num_regressors = 0;  // above 0: the adjusted score of that many
  std::string name = "r2_score";
};
void describe(Fields& fields, R2ScoreOptions& options);

// The share of the targets' variance that predictions explain. Both are (batch, outputs).
struct R2Score : Metric {
  explicit R2Score(const R2ScoreOptions& options = {});
};

}  // namespace plimsoll
