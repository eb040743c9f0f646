#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <nlohmann/json.hpp>

#include "plimsoll/nn/metrics/accuracy.h"
#include "plimsoll/nn/metrics/auc.h"
#include "plimsoll/nn/metrics/f_score.h"
#include "plimsoll/nn/metrics/intersection_over_union.h"
#include "plimsoll/nn/metrics/loss_metrics.h"
#include "plimsoll/nn/metrics/mean_metric.h"
#include "plimsoll/nn/metrics/metric_list.h"
#include "plimsoll/nn/metrics/precision_recall.h"
#include "plimsoll/ops/elementwise/elementwise.h"
#include "tests/support/golden.h"
#include "tests/support/messages.h"

namespace plimsoll {
namespace {

using testing::expect_golden;
using testing::GoldenCase;
using testing::message_of;

double mean_of_all(const std::vector<double>& values) {
  double total = 0;
  for (const double value : values) total += value;
  return total / static_cast<double>(values.size());
}

void check_batches(const GoldenCase& golden, const Metric& metric) {
  for (int i = 0; golden.has_tensor("result." + std::to_string(i)); ++i) {
    const auto tensor = [&](const std::string& name) {
      const std::string key = name + "." + std::to_string(i);
      return golden.has_tensor(key) ? golden.tensor(key) : Tensor();
    };
    const Tensor y_pred = tensor("y_pred");
    if (const Tensor mask = tensor("mask"); mask.defined()) y_pred.set_mask(not_equal(mask, 0));
    metric.update_state(tensor("y_true"), y_pred, tensor("sample_weight"));
    expect_golden(golden, "result." + std::to_string(i), metric.results());
    EXPECT_DOUBLE_EQ(metric.result(), mean_of_all(metric.results()));
  }
}

TEST(MetricConfig, MakesTheMetricThatKerasWroteDown) {
  for (const GoldenCase& golden : testing::read_goldens("metric_configs")) {
    SCOPED_TRACE(golden.name());
    const Metric metric = metric_from_config(Json::parse(golden.raw("config", "")));
    check_batches(golden, metric);
    metric.reset_state();
    check_batches(golden, metric);
  }
}

TEST(MetricConfig, IsWrittenAsKerasDoes) {
  for (const GoldenCase& golden : testing::read_goldens("metric_configs")) {
    Json config = Json::parse(golden.raw("config", ""));
    Json& weights = config["config"]["label_weights"];
    if (weights.is_object()) weights = weights["config"]["value"];  // two ways to say it
    if (weights.is_null() && config["class_name"] != "AUC") config["config"].erase("label_weights");
    EXPECT_EQ(config_of(metric_from_config(config)).dump(), config.dump()) << golden.name();
  }
}

TEST(MetricConfig, IsTheNameOfAMetricThatWasAskedForByName) {
  for (const MetricKind& kind : metric_list()) {
    if (kind.make == nullptr) continue;
    EXPECT_EQ(config_of(metric_from_config(kind.name)), kind.name);
    EXPECT_EQ(Metric(kind.class_name).name(), kind.class_name);
    EXPECT_EQ(Metric(kind.class_name).result(), 0) << kind.class_name;
  }
  EXPECT_EQ(config_of(Metric("huber")), "huber");
  const Json function =
      Json::parse(R"({"module": "builtins", "class_name": "function", "config": "poisson"})");
  EXPECT_EQ(config_of(metric_from_config(function)), "poisson");
}

TEST(MetricConfig, LooksInsideAWrapper) {
  const Json wrapper = Json::parse(
      R"({"class_name": "MeanMetricWrapper",
          "config": {"name": "mine", "fn": {"class_name": "function", "config": "huber"}}})");
  EXPECT_EQ(metric_from_config(wrapper).name(), "mine");
  EXPECT_EQ(
      message_of([] {
        metric_from_config(Json::parse(R"({"class_name": "MeanMetricWrapper", "config": {}})"));
      }),
      "metric: MeanMetricWrapper has no fn");
}

TEST(MetricConfig, SaysWhatIsWrongWithIt) {
  EXPECT_EQ(message_of([] { AUC({.curve = "ROCK", .name = "auc"}); }),
            "auc: curve 'ROCK' is not known (known: ROC, PR, PRGAIN)");
  EXPECT_EQ(message_of([] { Precision({.thresholds = 1.5, .name = "p"}); }),
            "p: a threshold must be in [0, 1], found 1.5");
  EXPECT_EQ(message_of([] { MeanIoU({.name = "iou"}); }),
            "iou: num_classes must be from 1 to 10000, found 0");
  EXPECT_EQ(message_of([] { F1Score({.average = "mean", .name = "f1"}); }),
            "f1: average 'mean' is not known (known: none, micro, macro, weighted)");
  const Metric own("mine", [](const Tensor&, const Tensor& y_pred) { return y_pred; });
  EXPECT_EQ(message_of([&] { config_of(own); }),
            "metric: 'mine' is a function of this program, which a file cannot hold");
}

TEST(Metric, SaysWhichWayIsBetter) {
  EXPECT_EQ(Metric("accuracy").direction(), Direction::up);
  EXPECT_EQ(Metric("auc").direction(), Direction::up);
  EXPECT_EQ(Metric("mse").direction(), Direction::down);
  EXPECT_EQ(Metric("huber").direction(), Direction::down);
  EXPECT_EQ(Metric("true_positives").direction(), Direction::unknown);
}

TEST(Metric, RefusesPredictionsOfAnotherWidth) {
  const AUC auc({.name = "auc", .multi_label = true});
  const Tensor two = constant(std::array{0.f, 1.f}, {1, 2}),
               three = constant(std::array{0.f, 1.f, 1.f}, {1, 3});
  auc.update_state(two, two);
  EXPECT_EQ(message_of([&] { auc.update_state(three, three); }),
            "auc: predictions have 3 labels, expected 2");
  EXPECT_EQ(message_of([&] { Precision({.name = "p"}).update_state(two, three); }),
            "p: y_true has shape (1, 2), y_pred (1, 3), expected the same");
}

TEST(Metric, CountsAPredictionThatIsNotANumberAsNegative) {
  const Tensor y_true = constant(std::array{1.f, 1.f}, {2});
  const Tensor y_pred = constant(std::array{NAN, 0.9f}, {2});
  const Recall recall;
  const AUC auc;
  for (const Metric& metric : {Metric(recall), Metric(auc)}) metric.update_state(y_true, y_pred);
  EXPECT_EQ(recall.result(), 0.5);
}

TEST(Metric, FindsNoTopKForALabelThatIsNoClass) {
  const Tensor scores = constant(std::array{0.1f, 0.9f, 0.3f, 0.7f, NAN, 0.2f}, {3, 2});
  const Tensor labels = constant(std::array{5, -1, 0}, {3});
  EXPECT_EQ(sparse_top_k_categorical_accuracy(labels, scores, 2).to_vector(),
            (std::vector{0.f, 0.f, 0.f}));
}

TEST(Metric, CountsExactlyWhereFloatsCannot) {
  const MeanIoU iou({.num_classes = 2});
  const Tensor many = constant(std::array{0.f}, {1});
  const Tensor weight = constant(std::array{16777216.f}, {1});
  iou.update_state(many, many, weight);
  iou.update_state(many, many);
  EXPECT_EQ(iou.variables()[0].value().to_vector<int64_t>()[0], 16777217);
}

}  // namespace
}  // namespace plimsoll
