// F-scores: precision and recall in one number, for each class. Targets and predictions are
// (batch, classes).
#pragma once

#include <optional>

#include "plimsoll/nn/metrics/metric.h"

namespace plimsoll {

struct FBetaScoreOptions {
  std::string average = "none";  // of the classes: "micro", "macro", "weighted"
  double beta = 1;               // how many times as much recall counts as precision; above 0
  std::optional<double> threshold =
      {};  // of positives, in (0, 1]; none: the largest of a row is one
  std::string name = "fbeta_score";
};
void describe(Fields& fields, FBetaScoreOptions& options);

struct FBetaScore : Metric {
  explicit FBetaScore(const FBetaScoreOptions& options = {});
};

struct F1ScoreOptions {
  std::string average = "none";
  std::optional<double> threshold = {};
  std::string name = "f1_score";
};
void describe(Fields& fields, F1ScoreOptions& options);

struct F1Score : Metric {
  explicit F1Score(const F1ScoreOptions& options = {});
};

}  // namespace plimsoll
