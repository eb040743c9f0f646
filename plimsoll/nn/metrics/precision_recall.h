// Counts of right and wrong positives and negatives, and what they say.
#pragma once

#include <optional>

#include "plimsoll/nn/metrics/metric.h"

namespace plimsoll {

// One threshold or several; none: Keras's default.
class Thresholds {
 public:
  Thresholds() = default;
  Thresholds(double one) : values_{one}, is_list_(false) {}
  Thresholds(std::initializer_list<double> many) : values_(many) {}
  Thresholds(std::vector<double> many) : values_(std::move(many)) {}

  bool empty() const { return values_.empty(); }
  // Keras writes one threshold that was not in a list as a number.
  bool is_list() const { return is_list_; }
  const std::vector<double>& values() const { return values_; }

 private:
  std::vector<double> values_;
  bool is_list_ = true;
};

struct CountOptions {
  Thresholds thresholds = {};  // 0.5; each in [0, 1]
  std::string name = {};
};
void describe(Fields& fields, CountOptions& options);

struct TruePositives : Metric {
  explicit TruePositives(const CountOptions& options = {});
};
struct FalsePositives : Metric {
  explicit FalsePositives(const CountOptions& options = {});
};
struct TrueNegatives : Metric {
  explicit TrueNegatives(const CountOptions& options = {});
};
struct FalseNegatives : Metric {
  explicit FalseNegatives(const CountOptions& options = {});
};

struct PrecisionOptions {
  Thresholds thresholds = {};            // 0.5, or with top_k none
  std::optional<int64_t> top_k = {};     // only the k largest predictions of a sample are positive
  std::optional<int64_t> class_id = {};  // looks at this class alone
  std::string name = {};
};
using RecallOptions = PrecisionOptions;
void describe(Fields& fields, PrecisionOptions& options);

// Of positive predictions, the share that is true.
struct Precision : Metric {
  explicit Precision(const PrecisionOptions& options = {});
};
// Of true targets, the share that was predicted.
struct Recall : Metric {
  explicit Recall(const RecallOptions& options = {});
};

struct SensitivityAtSpecificityOptions {
  double specificity = 0;  // in [0, 1]
  int64_t num_thresholds = 200;
  std::optional<int64_t> class_id = {};
  std::string name = {};
};
void describe(Fields& fields, SensitivityAtSpecificityOptions& options);
struct SpecificityAtSensitivityOptions {
  double sensitivity = 0;
  int64_t num_thresholds = 200;
  std::optional<int64_t> class_id = {};
  std::string name = {};
};
void describe(Fields& fields, SpecificityAtSensitivityOptions& options);
struct PrecisionAtRecallOptions {
  double recall = 0;
  int64_t num_thresholds = 200;
  std::optional<int64_t> class_id = {};
  std::string name = {};
};
void describe(Fields& fields, PrecisionAtRecallOptions& options);
struct RecallAtPrecisionOptions {
  double precision = 0;
  int64_t num_thresholds = 200;
  std::optional<int64_t> class_id = {};
  std::string name = {};
};
void describe(Fields& fields, RecallAtPrecisionOptions& options);

// The best of the first that some threshold gives where the second is at least the given number.
// Sensitivity is another name of recall.
struct SensitivityAtSpecificity : Metric {
  explicit SensitivityAtSpecificity(const SensitivityAtSpecificityOptions& options);
};
struct SpecificityAtSensitivity : Metric {
  explicit SpecificityAtSensitivity(const SpecificityAtSensitivityOptions& options);
};
struct PrecisionAtRecall : Metric {
  explicit PrecisionAtRecall(const PrecisionAtRecallOptions& options);
};
struct RecallAtPrecision : Metric {
  explicit RecallAtPrecision(const RecallAtPrecisionOptions& options);
};

}  // namespace plimsoll
