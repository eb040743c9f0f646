#include "plimsoll/nn/metrics/precision_recall.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numeric>

#include "plimsoll/nn/metrics/confusion.h"
#include "plimsoll/nn/metrics/metric_of.h"

namespace plimsoll {
namespace {

constexpr double kBelowAll = -1e10;  // what top_k leaves is positive, whatever its value

// The statistic at one threshold.
using Statistic = double (*)(const Confusion&);

// One number per threshold.
template <class Options>
class AtThresholds final : public MetricOf<Options> {
 public:
  AtThresholds(std::string_view class_name, const Options& options, Direction direction,
               ConfusionMatrices::Settings settings, Statistic statistic)
      : MetricOf<Options>(class_name, options),
        direction_(direction),
        matrices_(this->name(), check(std::move(settings))),
        state_(this->add_variable("counts", {DType::float32, matrices_.state_shape(1)})),
        statistic_(statistic) {}

  Direction direction() const override { return direction_; }
  void update(const Tensor& y_true, const Tensor& y_pred, const Tensor& sample_weight) override {
    this->add(state_, matrices_.counts(y_true, y_pred, sample_weight));
  }
  double result() const override {
    double total = 0;
    visit([&](size_t, double value) { total += value; });
    return total / static_cast<double>(matrices_.threshold_count());
  }
  std::vector<double> results() const override {
    std::vector<double> values(matrices_.threshold_count());
    visit([&](size_t threshold, double value) { values[threshold] = value; });
    return values;
  }

 private:
  ConfusionMatrices::Settings check(ConfusionMatrices::Settings settings) const {
    for (const double threshold : settings.thresholds)
      if (!(threshold >= 0 && threshold <= 1) && threshold != kBelowAll)
        this->refuse(fmt::format("a threshold must be in [0, 1], found {}", threshold));
    settings.evenly_spaced = are_evenly_spaced(settings.thresholds);
    return settings;
  }
  template <class Visit>
  void visit(Visit&& visit) const {
    matrices_.for_each(floats_of(state_), 1, 0, [&](size_t threshold, const Confusion& found) {
      visit(threshold, statistic_(found));
    });
  }

  Direction direction_;
  ConfusionMatrices matrices_;
  Variable state_;
  Statistic statistic_;
};

// The best of one statistic where another is good enough.
template <class Options>
class BestWhere final : public MetricOf<Options> {
 public:
  BestWhere(std::string_view class_name, const Options& options, double least, Statistic best,
            Statistic where)
      : MetricOf<Options>(class_name, options),
        least_(least),
        matrices_(this->name(), settings()),
        state_(this->add_variable("counts", {DType::float32, matrices_.state_shape(1)})),
        best_(best),
        where_(where) {}

  Direction direction() const override { return Direction::up; }
  void update(const Tensor& y_true, const Tensor& y_pred, const Tensor& sample_weight) override {
    this->add(state_, matrices_.counts(y_true, y_pred, sample_weight));
  }
  double result() const override {
    double best = 0;
    matrices_.for_each(floats_of(state_), 1, 0, [&](size_t, const Confusion& found) {
      if (where_(found) >= least_) best = std::max(best, best_(found));
    });
    return best;
  }

 private:
  ConfusionMatrices::Settings settings() const {
    const int64_t count = this->options_.num_thresholds;
    if (!(least_ >= 0 && least_ <= 1))
      this->refuse(fmt::format("the number to reach must be in [0, 1], found {}", least_));
    if (count < 1) this->refuse(fmt::format("num_thresholds must be 1 or more, found {}", count));
    return {.thresholds = even_thresholds(count),
            .class_id = this->options_.class_id,
            .evenly_spaced = count > 1};
  }

  double least_;
  ConfusionMatrices matrices_;
  Variable state_;
  Statistic best_, where_;
};

double precision(const Confusion& found) {
  return found.precision();
}
double recall(const Confusion& found) {
  return found.recall();
}
double specificity(const Confusion& found) {
  return found.specificity();
}

std::vector<double> values_or(const Thresholds& thresholds, double fallback) {
  return thresholds.empty() ? std::vector<double>{fallback} : thresholds.values();
}

Metric count_of(std::string_view class_name, const CountOptions& options, Statistic statistic) {
  return Metric(std::make_shared<AtThresholds<CountOptions>>(
      class_name, options, Direction::unknown,
      ConfusionMatrices::Settings{.thresholds = values_or(options.thresholds, 0.5)}, statistic));
}

Metric share_of(std::string_view class_name, const PrecisionOptions& options, Statistic statistic) {
  const double fallback = options.top_k ? kBelowAll : 0.5;
  return Metric(std::make_shared<AtThresholds<PrecisionOptions>>(
      class_name, options, Direction::up,
      ConfusionMatrices::Settings{.thresholds = values_or(options.thresholds, fallback),
                                  .top_k = options.top_k,
                                  .class_id = options.class_id},
      statistic));
}

template <class Options>
Metric best_where(std::string_view class_name, const Options& options, double least, Statistic best,
                  Statistic where) {
  return Metric(std::make_shared<BestWhere<Options>>(class_name, options, least, best, where));
}

void with_thresholds(Fields& fields, Thresholds& thresholds) {
  if (!fields.reading()) {
    const std::vector<double>& values = thresholds.values();
    fields.write("thresholds", values.empty()         ? Json()
                               : thresholds.is_list() ? Json(values)
                                                      : Json(values[0]));
    return;
  }
  std::vector<double> values;
  fields.with("thresholds", values);
  const Json* found = fields.find("thresholds");
  if (found == nullptr) return;
  thresholds = found->is_number() ? Thresholds(values[0]) : Thresholds(values);
}

// Keras writes class_id first.
template <class Options>
void describe_point(Fields& fields, Options& options, const char* key, double& value) {
  describe_metric(fields, options)
      .with("class_id", options.class_id)
      .with("num_thresholds", options.num_thresholds)
      .with(key, value);
}

}  // namespace

void describe(Fields& fields, CountOptions& options) {
  describe_metric(fields, options);
  with_thresholds(fields, options.thresholds);
}
void describe(Fields& fields, PrecisionOptions& options) {
  describe_metric(fields, options);
  with_thresholds(fields, options.thresholds);
  fields.with("top_k", options.top_k).with("class_id", options.class_id);
}
void describe(Fields& fields, SensitivityAtSpecificityOptions& options) {
  describe_point(fields, options, "specificity", options.specificity);
}
void describe(Fields& fields, SpecificityAtSensitivityOptions& options) {
  describe_point(fields, options, "sensitivity", options.sensitivity);
}
void describe(Fields& fields, PrecisionAtRecallOptions& options) {
  describe_point(fields, options, "recall", options.recall);
}
void describe(Fields& fields, RecallAtPrecisionOptions& options) {
  describe_point(fields, options, "precision", options.precision);
}

TruePositives::TruePositives(const CountOptions& options)
    : Metric(count_of("TruePositives", options,
                      [](const Confusion& found) { return found.true_positives; })) {}
FalsePositives::FalsePositives(const CountOptions& options)
    : Metric(count_of("FalsePositives", options,
                      [](const Confusion& found) { return found.false_positives; })) {}
TrueNegatives::TrueNegatives(const CountOptions& options)
    : Metric(count_of("TrueNegatives", options,
                      [](const Confusion& found) { return found.true_negatives; })) {}
FalseNegatives::FalseNegatives(const CountOptions& options)
    : Metric(count_of("FalseNegatives", options,
                      [](const Confusion& found) { return found.false_negatives; })) {}

Precision::Precision(const PrecisionOptions& options)
    : Metric(share_of("Precision", options, precision)) {}
Recall::Recall(const RecallOptions& options) : Metric(share_of("Recall", options, recall)) {}

SensitivityAtSpecificity::SensitivityAtSpecificity(const SensitivityAtSpecificityOptions& options)
    : Metric(best_where("SensitivityAtSpecificity", options, options.specificity, recall,
                        specificity)) {}
SpecificityAtSensitivity::SpecificityAtSensitivity(const SpecificityAtSensitivityOptions& options)
    : Metric(best_where("SpecificityAtSensitivity", options, options.sensitivity, specificity,
                        recall)) {}
PrecisionAtRecall::PrecisionAtRecall(const PrecisionAtRecallOptions& options)
    : Metric(best_where("PrecisionAtRecall", options, options.recall, precision, recall)) {}
RecallAtPrecision::RecallAtPrecision(const RecallAtPrecisionOptions& options)
    : Metric(best_where("RecallAtPrecision", options, options.precision, recall, precision)) {}

}  // namespace plimsoll
