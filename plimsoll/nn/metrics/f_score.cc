#include "plimsoll/nn/metrics/f_score.h"

#include <fmt/format.h>

#include <numeric>

#include "plimsoll/nn/as_float.h"
#include "plimsoll/nn/metrics/metric_of.h"
#include "plimsoll/ops/elementwise/elementwise.h"
#include "plimsoll/ops/movement/movement.h"
#include "plimsoll/ops/reduction/reduction.h"

namespace plimsoll {
namespace {

constexpr double kScoreEpsilon = 1e-7;

template <class Options>
double beta_of(const Options& options) {
  if constexpr (requires { options.beta; }) return options.beta;
  return 1;
}

template <class Options>
class FScoreBody final : public MetricOf<Options> {
 public:
  FScoreBody(std::string_view class_name, const Options& options)
      : MetricOf<Options>(class_name, options), beta_(beta_of(options)) {
    const std::string& average = options.average;
    if (average != "none" && average != "micro" && average != "macro" && average != "weighted")
      this->refuse("average '" + average + "' is not known (known: none, micro, macro, weighted)");
    if (!(beta_ > 0)) this->refuse(fmt::format("beta must be above 0, found {}", beta_));
    if (options.threshold && !(*options.threshold > 0 && *options.threshold <= 1))
      this->refuse(
          fmt::format("threshold must be above 0 and at most 1, found {}", *options.threshold));
  }

  Direction direction() const override { return Direction::up; }

  void update(const Tensor& y_true, const Tensor& y_pred, const Tensor& sample_weight) override {
    if (y_pred.rank() != 2 || y_true.shape() != y_pred.shape())
      this->refuse("targets and predictions must be (batch, classes), found " +
                   y_true.shape().to_string() + " and " + y_pred.shape().to_string());
    build(y_pred.shape()[1]);
    const Tensor truth = as_float(y_true), positive = positives(as_float(y_pred));
    const auto count = [&](Variable variable, const Tensor& values) {
      const Tensor weighted =
          sample_weight.defined() ? values * expand_dims(as_float(sample_weight), 1) : values;
      this->add(variable, is_micro() ? sum(weighted) : sum(weighted, {0}));
    };
    count(true_positives_, positive * truth);
    count(false_positives_, positive * (1 - truth));
    count(false_negatives_, (1 - positive) * truth);
    count(weights_, truth);
  }

  double result() const override {
    if (!weights_.defined()) return 0;
    const int64_t classes = weights_.shape().elements();
    const float* weights = floats_of(weights_);
    double total = 0, all = 0;
    for (int64_t c = 0; c < classes; ++c) {
      const double weight = this->options_.average == "weighted" ? weights[c] : 1;
      total += weight * score(c);
      all += weight;
    }
    return total / (all + (this->options_.average == "weighted" ? kScoreEpsilon : 0));
  }

  std::vector<double> results() const override {
    if (this->options_.average != "none" || !weights_.defined()) return {result()};
    std::vector<double> scores;
    for (int64_t c = 0; c < weights_.shape().elements(); ++c) scores.push_back(score(c));
    return scores;
  }

 private:
  bool is_micro() const { return this->options_.average == "micro"; }

  void build(int64_t classes) {
    const Spec spec{DType::float32, is_micro() ? Shape{} : Shape{classes}};
    if (weights_.defined() && weights_.spec() != spec)
      this->refuse(
          fmt::format("predictions have {} classes, expected {}", classes, weights_.shape()[0]));
    if (weights_.defined()) return;
    true_positives_ = this->add_variable("true_positives", spec);
    false_positives_ = this->add_variable("false_positives", spec);
    false_negatives_ = this->add_variable("false_negatives", spec);
    weights_ = this->add_variable("intermediate_weights", spec);
  }

  // A row of zeros has no largest.
  Tensor positives(const Tensor& y_pred) const {
    if (this->options_.threshold) return as_float(greater(y_pred, *this->options_.threshold));
    const Tensor is_largest = greater_equal(y_pred, max(y_pred, {-1}, true));
    return as_float(logical_and(is_largest, greater(abs(y_pred), 1e-9)));
  }

  double score(int64_t c) const {
    const double found = floats_of(true_positives_)[c];
    const double precision = found / (found + floats_of(false_positives_)[c] + kScoreEpsilon);
    const double recall = found / (found + floats_of(false_negatives_)[c] + kScoreEpsilon);
    const double square = beta_ * beta_;
    return (1 + square) * precision * recall / (square * precision + recall + kScoreEpsilon);
  }

  double beta_;
  Variable true_positives_, false_positives_, false_negatives_, weights_;
};

void with_average(Fields& fields, std::string& average) {
  std::optional<std::string> text;
  if (average != "none") text = average;
  fields.with("average", text);
  if (fields.reading()) average = text.value_or("none");
}

}  // namespace

void describe(Fields& fields, FBetaScoreOptions& options) {
  describe_metric(fields, options);
  with_average(fields, options.average);
  fields.with("beta", options.beta).with("threshold", options.threshold);
}

void describe(Fields& fields, F1ScoreOptions& options) {
  describe_metric(fields, options);
  with_average(fields, options.average);
  fields.with("threshold", options.threshold);
}

FBetaScore::FBetaScore(const FBetaScoreOptions& options)
    : Metric(std::make_shared<FScoreBody<FBetaScoreOptions>>("FBetaScore", options)) {}

F1Score::F1Score(const F1ScoreOptions& options)
    : Metric(std::make_shared<FScoreBody<F1ScoreOptions>>("F1Score", options)) {}

}  // namespace plimsoll
