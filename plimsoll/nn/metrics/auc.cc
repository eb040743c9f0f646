#include "plimsoll/nn/metrics/auc.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "plimsoll/nn/keras/keras_object.h"
#include "plimsoll/nn/metrics/confusion.h"
#include "plimsoll/nn/metrics/metric_of.h"
#include "plimsoll/ops/elementwise/elementwise.h"

namespace plimsoll {
namespace {

constexpr double kThresholdMargin = 1e-7;  // how far the first and last threshold are pushed out

double divide_or_zero(double a, double b) {
  return b == 0 ? 0 : a / b;
}

struct Point {
  double x = 0, y = 0;
};

class AUCBody final : public MetricOf<AUCOptions> {
 public:
  explicit AUCBody(const AUCOptions& options)
      : MetricOf("AUC", checked(options)), matrices_(name(), settings()) {
    if (!options_.multi_label)
      build(1);
    else if (options_.num_labels)
      build(*options_.num_labels);
  }

  Direction direction() const override { return Direction::up; }
  void update(const Tensor& y_true, const Tensor& y_pred, const Tensor& sample_weight) override {
    const Tensor scores = options_.from_logits ? sigmoid(y_pred) : y_pred;
    const int64_t labels = matrices_.labels_of(scores);
    if (!state_.defined()) build(labels);
    if (labels != state_.shape()[2])
      refuse(fmt::format("predictions have {} labels, expected {}", labels, state_.shape()[2]));
    add(state_, matrices_.counts(y_true, scores, sample_weight));
  }

  double result() const override {
    if (!state_.defined()) return 0;
    const int64_t labels = state_.shape()[2];
    const float* state = floats_of(state_);
    double total = 0, weights = 0;
    for (int64_t label = 0; label < labels; ++label) {
      const bool weighted = options_.multi_label && !options_.label_weights.empty();
      const double weight = weighted ? options_.label_weights[static_cast<size_t>(label)] : 1;
      total += weight * area(state, labels, label);
      weights += weight;
    }
    return divide_or_zero(total, weights);
  }

 private:
  static AUCOptions checked(AUCOptions options) {
    for (char& c : options.curve)
      c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
    for (char& c : options.summation_method)
      c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    std::ranges::sort(options.thresholds);
    if (!options.thresholds.empty())
      options.num_thresholds = static_cast<int64_t>(options.thresholds.size()) + 2;
    return options;
  }

  ConfusionMatrices::Settings settings() const {
    const std::string& curve = options_.curve;
    if (curve != "ROC" && curve != "PR" && curve != "PRGAIN")
      refuse("curve '" + curve + "' is not known (known: ROC, PR, PRGAIN)");
    const std::string& method = options_.summation_method;
    if (method != "interpolation" && method != "minoring" && method != "majoring")
      refuse("summation_method '" + method +
             "' is not known (known: interpolation, minoring, majoring)");
    if (options_.num_thresholds < 2)
      refuse(fmt::format("num_thresholds must be 2 or more, found {}", options_.num_thresholds));
    if (options_.num_labels && !options_.multi_label) refuse("num_labels is only for multi_label");
    std::vector<double> thresholds = even_thresholds(options_.num_thresholds);
    if (!options_.thresholds.empty())
      std::ranges::copy(options_.thresholds, thresholds.begin() + 1);
    const bool even = options_.thresholds.empty() || are_evenly_spaced(thresholds);
    thresholds.front() = -kThresholdMargin;
    thresholds.back() = 1 + kThresholdMargin;
    return {.thresholds = std::move(thresholds),
            .multi_label = options_.multi_label,
            .label_weights = options_.label_weights,
            .evenly_spaced = even};
  }

  void build(int64_t labels) {
    const auto weights = static_cast<int64_t>(options_.label_weights.size());
    if (options_.multi_label && weights != 0 && weights != labels)
      refuse(fmt::format("found {} label_weights for {} labels", weights, labels));
    state_ = add_variable("counts", {DType::float32, matrices_.state_shape(labels)});
  }

  double area(const float* state, int64_t labels, int64_t label) const {
    if (options_.curve == "PR" && options_.summation_method == "interpolation")
      return interpolated_precision(state, labels, label);
    double area = 0;
    Point last;
    bool is_first = true;
    matrices_.for_each(state, labels, label, [&](size_t, const Confusion& found) {
      const Point point = point_of(found);
      if (!is_first) area += (point.x - last.x) * height(point.y, last.y);
      last = point;
      is_first = false;
    });
    return area;
  }

  Point point_of(const Confusion& c) const {
    if (options_.curve == "ROC") return {c.false_positive_rate(), c.recall()};
    if (options_.curve == "PR") return {c.recall(), c.precision()};
    if (c.true_positives == 0) return {0, 1};
    const double ratio =
        divide_or_zero(c.true_positives + c.false_negatives, c.true_negatives + c.false_positives);
    return {std::max(0.0, 1 - ratio * c.false_negatives / c.true_positives),
            1 - ratio * c.false_positives / c.true_positives};
  }

  double height(double a, double b) const {
    if (options_.summation_method == "minoring") return std::min(a, b);
    if (options_.summation_method == "majoring") return std::max(a, b);
    return (a + b) / 2;
  }

  // Precision between two thresholds is not a line: true positives are.
  double interpolated_precision(const float* state, int64_t labels, int64_t label) const {
    double area = 0;
    Confusion last;
    bool is_first = true;
    matrices_.for_each(state, labels, label, [&](size_t, const Confusion& found) {
      if (!is_first) area += precision_area(found, last);
      last = found;
      is_first = false;
    });
    return area;
  }

  // `low` is at the lower threshold, so it has more positives.
  static double precision_area(const Confusion& low, const Confusion& high) {
    const double found = low.true_positives - high.true_positives;
    const double low_all = low.true_positives + low.false_positives;
    const double high_all = high.true_positives + high.false_positives;
    const double slope = divide_or_zero(found, std::max(low_all - high_all, 0.0));
    const double intercept = high.true_positives - slope * high_all;
    const double ratio = low_all > 0 && high_all > 0 ? low_all / high_all : 1;
    return divide_or_zero(slope * (found + intercept * std::log(ratio)),
                          std::max(high.true_positives + high.false_negatives, 0.0));
  }

  ConfusionMatrices matrices_;
  Variable state_;
};

// Keras writes them as a tensor, {"class_name": "__tensor__", "config": {"value": …}}, and reads a
// list as well.
void with_label_weights(Fields& fields, std::vector<double>& weights) {
  fields.write("label_weights", weights.empty() ? Json() : Json(weights));
  const Json* found = fields.find("label_weights");
  if (found == nullptr) return;
  if (!found->is_object()) {
    fields.with("label_weights", weights);
    return;
  }
  const KerasObject tensor = read_keras_object(*found, "AUC: label_weights");
  Fields inner(*tensor.config, "AUC: label_weights");
  inner.with("value", weights).ignored("dtype");
  inner.finish();
}

}  // namespace

void describe(Fields& fields, AUCOptions& options) {
  describe_metric(fields, options)
      .with("num_thresholds", options.num_thresholds)
      .with("curve", options.curve)
      .with("summation_method", options.summation_method)
      .with("multi_label", options.multi_label)
      .with("num_labels", options.num_labels);
  with_label_weights(fields, options.label_weights);
  fields.with("from_logits", options.from_logits);
  if (fields.reading() || !options.thresholds.empty())
    fields.with("thresholds", options.thresholds);
}

AUC::AUC(const AUCOptions& options) : Metric(std::make_shared<AUCBody>(options)) {}

}  // namespace plimsoll
