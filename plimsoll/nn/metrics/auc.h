// AUC: the area under the curve that results from moving the threshold.
#pragma once

#include <optional>

#include "plimsoll/nn/metrics/metric.h"

namespace plimsoll {

struct AUCOptions {
  int64_t num_thresholds = 200;                    // evenly spaced; above 1
  std::string curve = "ROC";                       // or "PR", "PRGAIN"
  std::string summation_method = "interpolation";  // or "minoring", "majoring"
  std::string name = {};
  std::vector<double> thresholds = {};  // in place of num_thresholds; ends are added
  bool multi_label = false;             // one curve per label, and the mean of the areas
  std::optional<int64_t> num_labels = {};
  std::vector<double> label_weights = {};  // of labels, in the mean or in one curve of all
  bool from_logits = false;
};
void describe(Fields& fields, AUCOptions& options);

struct AUC : Metric {
  explicit AUC(const AUCOptions& options = {});
};

}  // namespace plimsoll
