#include "plimsoll/nn/metrics/regression_metrics.h"

#include <fmt/format.h>

#include <cmath>

#include "plimsoll/nn/as_float.h"
#include "plimsoll/nn/losses/loss_arguments.h"
#include "plimsoll/nn/losses/mean_errors.h"
#include "plimsoll/nn/metrics/mean_metric.h"
#include "plimsoll/nn/metrics/metric_of.h"
#include "plimsoll/ops/elementwise/elementwise.h"
#include "plimsoll/ops/movement/movement.h"
#include "plimsoll/ops/reduction/reduction.h"

namespace plimsoll {
namespace {

// Keras does not look at masks here.
class RootMeanSquaredErrorBody final : public MeanBody {
 public:
  using MeanBody::MeanBody;
  std::string_view class_name() const override { return "RootMeanSquaredError"; }
  Direction direction() const override { return Direction::down; }
  void config_fields(Fields& fields) const override {
    MetricOptions options{.name = name()};
    describe(fields, options);
  }
  void update(const Tensor& y_true, const Tensor& y_pred, const Tensor& sample_weight) override {
    const auto [truth, prediction] = match_rank(as_float(y_true), as_float(y_pred));
    add_values(square(prediction - truth), sample_weight);
  }
  double result() const override { return std::sqrt(MeanBody::result()); }
};

class R2ScoreBody final : public MetricOf<R2ScoreOptions> {
 public:
  explicit R2ScoreBody(const R2ScoreOptions& options)
      : MetricOf("R2Score", options), samples_(add_variable("num_samples", {})) {
    const std::string& aggregation = options.class_aggregation;
    if (aggregation != "none" && aggregation != "uniform_average" &&
        aggregation != "variance_weighted_average")
      refuse("class_aggregation '" + aggregation +
             "' is not known (known: uniform_average, variance_weighted_average, none)");
    if (options.num_regressors < 0)
      refuse(fmt::format("num_regressors must be 0 or more, found {}", options.num_regressors));
  }

  Direction direction() const override { return Direction::up; }

  void update(const Tensor& y_true, const Tensor& y_pred, const Tensor& sample_weight) override {
    const auto [truth, prediction] = match_rank(as_float(y_true), as_float(y_pred));
    if (prediction.rank() != 2 || truth.shape() != prediction.shape())
      refuse("targets and predictions must be (batch, outputs), found " +
             y_true.shape().to_string() + " and " + y_pred.shape().to_string());
    build(prediction.shape()[1]);
    Tensor weight = sample_weight.defined() ? as_float(sample_weight) : scalar(1);
    if (weight.rank() == 1) weight = expand_dims(weight, 1);
    weight = broadcast_to(weight, truth.shape());
    add(squared_sum_, sum(square(truth) * weight, {0}));
    add(sum_, sum(truth * weight, {0}));
    add(residual_, sum(square(truth - prediction) * weight, {0}));
    add(count_, sum(weight, {0}));
    add(samples_, scalar(static_cast<double>(truth.shape().elements())));
  }

  double result() const override {
    if (!sum_.defined()) return 0;
    const bool by_variance = options_.class_aggregation == "variance_weighted_average";
    double total = 0, weights = 0;
    for (int64_t i = 0; i < sum_.shape()[0]; ++i) {
      const double weight = by_variance ? variance(i) : 1;
      total += weight * score(i);
      weights += weight;
    }
    return adjusted(total / weights);
  }

  std::vector<double> results() const override {
    if (!sum_.defined() || options_.class_aggregation != "none") return {result()};
    std::vector<double> scores;
    for (int64_t i = 0; i < sum_.shape()[0]; ++i) scores.push_back(adjusted(score(i)));
    return scores;
  }

 private:
  void build(int64_t outputs) {
    const Spec spec{DType::float32, {outputs}};
    if (sum_.defined() && sum_.spec() != spec)
      refuse(fmt::format("predictions have {} outputs, expected {}", outputs, sum_.shape()[0]));
    if (sum_.defined()) return;
    squared_sum_ = add_variable("squared_sum", spec);
    sum_ = add_variable("sum", spec);
    residual_ = add_variable("residual", spec);
    count_ = add_variable("count", spec);
  }

  // The variance of the targets, times their number.
  double variance(int64_t i) const {
    const double sum = floats_of(sum_)[i], count = floats_of(count_)[i];
    return floats_of(squared_sum_)[i] - sum * sum / count;
  }
  double score(int64_t i) const {
    const double score = 1 - floats_of(residual_)[i] / variance(i);
    return std::isinf(score) ? 0 : score;
  }
  // Adjusts for the number of regressors if there are enough samples.
  double adjusted(double score) const {
    const auto regressors = static_cast<double>(options_.num_regressors);
    const double samples = *floats_of(samples_);
    if (regressors == 0 || regressors >= samples - 1) return score;
    return 1 - (1 - score) * (samples - 1) / (samples - regressors - 1);
  }

  Variable samples_, squared_sum_, sum_, residual_, count_;
};

}  // namespace

void describe(Fields& fields, R2ScoreOptions& options) {
  describe_metric(fields, options);
  std::optional<std::string> aggregation;
  if (options.class_aggregation != "none") aggregation = options.class_aggregation;
  fields.with("class_aggregation", aggregation).with("num_regressors", options.num_regressors);
  if (fields.reading()) options.class_aggregation = aggregation.value_or("none");
}

RootMeanSquaredError::RootMeanSquaredError(const MetricOptions& options)
    : Metric(std::make_shared<RootMeanSquaredErrorBody>(
          options.name.empty() ? "root_mean_squared_error" : options.name)) {}

LogCoshError::LogCoshError(const MetricOptions& options)
    : Metric(mean_of("LogCoshError", "logcosh", options, Direction::down, log_cosh)) {}

R2Score::R2Score(const R2ScoreOptions& options) : Metric(std::make_shared<R2ScoreBody>(options)) {}

}  // namespace plimsoll
