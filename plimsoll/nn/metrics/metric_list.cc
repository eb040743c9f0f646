#include "plimsoll/nn/metrics/metric_list.h"

#include <array>
#include <nlohmann/json.hpp>

#include "plimsoll/base/error.h"
#include "plimsoll/base/nearest_name.h"
#include "plimsoll/nn/keras/fields.h"
#include "plimsoll/nn/keras/keras_object.h"
#include "plimsoll/nn/losses/loss_list.h"
#include "plimsoll/nn/metrics/accuracy.h"
#include "plimsoll/nn/metrics/auc.h"
#include "plimsoll/nn/metrics/f_score.h"
#include "plimsoll/nn/metrics/intersection_over_union.h"
#include "plimsoll/nn/metrics/loss_metrics.h"
#include "plimsoll/nn/metrics/mean_metric.h"
#include "plimsoll/nn/metrics/precision_recall.h"
#include "plimsoll/nn/metrics/regression_metrics.h"

namespace plimsoll {
namespace {

template <class Kind, class Options = MetricOptions>
Metric make(std::string_view name) {
  Options options;
  options.name = name;
  return Kind(options);
}

template <class Kind, class Options = MetricOptions>
Metric from_config(Fields& fields) {
  Options options;
  describe(fields, options);
  fields.finish();
  return Kind(options);
}

Metric mean_of(std::string_view name, MetricFunction function, Direction direction) {
  return Metric(std::make_shared<MeanOfFunction>(std::string(name), std::move(function),
                                                 MeanOfFunction::Kind{.direction = direction}));
}

// compile() chooses by shapes, even for the name of the class.
Metric make_accuracy(std::string_view name) {
  return mean_of(name, accuracy_by_shapes, Direction::up);
}

Metric mean_of_loss(std::string_view name, const Loss& loss) {
  const auto values = [loss](const Tensor& y_true, const Tensor& y_pred) {
    return loss.values(y_true, y_pred);
  };
  return mean_of(name, values, Direction::down);
}

template <class Kind, class Options = MetricOptions>
constexpr MetricKind row(std::string_view name, std::string_view class_name,
                         std::string_view short_name = "") {
  return {name, class_name, short_name, make<Kind, Options>, from_config<Kind, Options>};
}

// For a kind that lacks a default for some setting.
template <class Kind, class Options>
constexpr MetricKind told(std::string_view name, std::string_view class_name) {
  return {name, class_name, "", nullptr, from_config<Kind, Options>};
}

constexpr std::array kMetrics = {
    MetricKind{"accuracy", "Accuracy", "acc", make_accuracy, from_config<Accuracy>},
    row<BinaryAccuracy, BinaryAccuracyOptions>("binary_accuracy", "BinaryAccuracy"),
    row<CategoricalAccuracy>("categorical_accuracy", "CategoricalAccuracy"),
    row<SparseCategoricalAccuracy>("sparse_categorical_accuracy", "SparseCategoricalAccuracy"),
    row<TopKCategoricalAccuracy, TopKCategoricalAccuracyOptions>("top_k_categorical_accuracy",
                                                                 "TopKCategoricalAccuracy"),
    row<SparseTopKCategoricalAccuracy, SparseTopKCategoricalAccuracyOptions>(
        "sparse_top_k_categorical_accuracy", "SparseTopKCategoricalAccuracy"),
    row<AUC, AUCOptions>("auc", "AUC"),
    row<Precision, PrecisionOptions>("precision", "Precision"),
    row<Recall, RecallOptions>("recall", "Recall"),
    row<TruePositives, CountOptions>("true_positives", "TruePositives"),
    row<FalsePositives, CountOptions>("false_positives", "FalsePositives"),
    row<TrueNegatives, CountOptions>("true_negatives", "TrueNegatives"),
    row<FalseNegatives, CountOptions>("false_negatives", "FalseNegatives"),
    told<SensitivityAtSpecificity, SensitivityAtSpecificityOptions>("sensitivity_at_specificity",
                                                                    "SensitivityAtSpecificity"),
    told<SpecificityAtSensitivity, SpecificityAtSensitivityOptions>("specificity_at_sensitivity",
                                                                    "SpecificityAtSensitivity"),
    told<PrecisionAtRecall, PrecisionAtRecallOptions>("precision_at_recall", "PrecisionAtRecall"),
    told<RecallAtPrecision, RecallAtPrecisionOptions>("recall_at_precision", "RecallAtPrecision"),
    row<F1Score, F1ScoreOptions>("f1_score", "F1Score"),
    row<FBetaScore, FBetaScoreOptions>("fbeta_score", "FBetaScore"),
    told<IoU, IoUOptions>("io_u", "IoU"),
    told<MeanIoU, MeanIoUOptions>("mean_io_u", "MeanIoU"),
    row<BinaryIoU, BinaryIoUOptions>("binary_io_u", "BinaryIoU"),
    told<OneHotIoU, OneHotIoUOptions>("one_hot_io_u", "OneHotIoU"),
    told<OneHotMeanIoU, OneHotMeanIoUOptions>("one_hot_mean_io_u", "OneHotMeanIoU"),
    row<metrics::MeanSquaredError>("mean_squared_error", "MeanSquaredError", "mse"),
    row<RootMeanSquaredError>("root_mean_squared_error", "RootMeanSquaredError"),
    row<metrics::MeanAbsoluteError>("mean_absolute_error", "MeanAbsoluteError", "mae"),
    row<metrics::MeanAbsolutePercentageError>("mean_absolute_percentage_error",
                                              "MeanAbsolutePercentageError", "mape"),
    row<metrics::MeanSquaredLogarithmicError>("mean_squared_logarithmic_error",
                                              "MeanSquaredLogarithmicError", "msle"),
    row<metrics::CosineSimilarity, metrics::CosineSimilarityOptions>("cosine_similarity",
                                                                     "CosineSimilarity"),
    row<LogCoshError>("log_cosh_error", "LogCoshError"),
    row<R2Score, R2ScoreOptions>("r2_score", "R2Score"),
    row<metrics::Hinge>("hinge", "Hinge"),
    row<metrics::SquaredHinge>("squared_hinge", "SquaredHinge"),
    row<metrics::CategoricalHinge>("categorical_hinge", "CategoricalHinge"),
    row<metrics::KLDivergence>("kl_divergence", "KLDivergence"),
    row<metrics::Poisson>("poisson", "Poisson"),
    row<metrics::BinaryCrossentropy, metrics::BinaryCrossentropyOptions>(
        "binary_crossentropy", "BinaryCrossentropy", "bce"),
    row<metrics::CategoricalCrossentropy, metrics::CategoricalCrossentropyOptions>(
        "categorical_crossentropy", "CategoricalCrossentropy"),
    row<metrics::SparseCategoricalCrossentropy, metrics::SparseCategoricalCrossentropyOptions>(
        "sparse_categorical_crossentropy", "SparseCategoricalCrossentropy"),
    row<Mean, MeanOptions>("mean", "Mean"),
    row<Sum, SumOptions>("sum", "Sum"),
};

bool is_short_name(std::string_view name, std::string_view short_name) {
  std::string upper(short_name);
  for (char& c : upper) c = static_cast<char>(c - 'a' + 'A');
  return !name.empty() && (name == short_name || name == upper);
}

const MetricKind* find(std::string_view name) {
  for (const MetricKind& kind : kMetrics)
    if (name == kind.name || name == kind.class_name || is_short_name(name, kind.short_name))
      return &kind;
  return nullptr;
}

[[noreturn]] void refuse(std::string_view name) {
  std::vector<std::string> known;
  for (const MetricKind& kind : kMetrics) known.emplace_back(kind.name);
  known.emplace_back("and every loss");
  throw InvalidArgument(not_known("metric:", name, known));
}

// {"class_name": "MeanMetricWrapper", "config": {"name": …, "fn": a function, …}}: the settings of
// the function are beside it.
Metric unwrapped(const Json& config) {
  const auto function = config.find("fn");
  if (function == config.end()) throw InvalidArgument("metric: MeanMetricWrapper has no fn");
  const std::string name = read_keras_object(*function, "metric MeanMetricWrapper").class_name;
  const auto given = config.find("name");
  if (given == config.end() || !given->is_string()) return make_metric(name);
  if (const MetricKind* kind = find(name); kind != nullptr && kind->make != nullptr)
    return kind->make(given->get<std::string>());
  return mean_of_loss(given->get<std::string>(), make_loss(name));
}

}  // namespace

std::span<const MetricKind> metric_list() {
  return kMetrics;
}

Metric make_metric(std::string_view name) {
  const MetricKind* kind = find(name);
  if (kind != nullptr && kind->make == nullptr)
    throw InvalidArgument("metric: '" + std::string(name) + "' needs settings; make it as " +
                          std::string(kind->class_name) + "({…})");
  if (kind != nullptr) return kind->make(name);
  if (const LossKind* loss = find_loss(name)) return mean_of_loss(name, loss->make());
  refuse(name);
}

Metric::Metric(std::string_view name) : Metric(make_metric(name)) {
  asked_name_ = name;
}

Json config_of(const Metric& metric) {
  if (!metric.asked_name().empty()) return metric.asked_name();
  const MetricBody& body = metric.body();
  if (body.class_name().empty())
    throw InvalidArgument("metric: '" + metric.name() +
                          "' is a function of this program, which a file cannot hold");
  Fields fields;
  body.config_fields(fields);
  return keras_object("keras.metrics", body.class_name(), fields.config());
}

Metric metric_from_config(const Json& json) {
  const KerasObject object = read_keras_object(json, "metric");
  if (object.class_name == "MeanMetricWrapper") return unwrapped(*object.config);
  const MetricKind* kind = find(object.class_name);
  const bool is_name = json.is_string() || (kind != nullptr && object.class_name == kind->name);
  if (kind == nullptr || (is_name && object.config->empty())) return Metric(object.class_name);
  Fields fields(*object.config, "metric " + object.class_name);
  return kind->from_config(fields);
}

}  // namespace plimsoll
