#include "plimsoll/nn/metrics/intersection_over_union.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "plimsoll/nn/as_float.h"
#include "plimsoll/nn/metrics/metric_of.h"
#include "plimsoll/ops/elementwise/elementwise.h"
#include "plimsoll/ops/movement/movement.h"
#include "plimsoll/ops/reduction/reduction.h"

namespace plimsoll {
namespace {

constexpr double kUnionEpsilon = 1e-7;
constexpr int64_t kMostClasses = 10000;  // the matrix is the square of it

// The settings that all kinds can be expressed by.
struct Settings {
  int64_t classes = 0;
  std::vector<int64_t> targets = {};
  std::optional<int64_t> ignored = {};
  bool sparse_y_true = true, sparse_y_pred = true;
  int axis = -1;
  std::optional<double> threshold = {};
};

// State: counts by (true class, predicted class), int64 or float32.
template <class Options>
class IoUBody final : public MetricOf<Options> {
 public:
  IoUBody(std::string_view class_name, const Options& options, Settings settings)
      : MetricOf<Options>(class_name, options), settings_(std::move(settings)) {
    const int64_t classes = settings_.classes;
    if (classes < 1 || classes > kMostClasses)
      this->refuse(
          fmt::format("num_classes must be from 1 to {}, found {}", kMostClasses, classes));
    for (const int64_t target : settings_.targets)
      if (target < 0 || target >= classes)
        this->refuse(fmt::format("target class {} is not one of {} classes", target, classes));
    is_whole_ = options.dtype.starts_with("int") || options.dtype.starts_with("uint");
    counts_ = this->add_variable("total_confusion_matrix",
                                 {is_whole_ ? DType::int64 : DType::float32, {classes, classes}});
  }

  Direction direction() const override { return Direction::up; }

  void update(const Tensor& y_true, const Tensor& y_pred, const Tensor& sample_weight) override {
    const Tensor truth = class_numbers(y_true, settings_.sparse_y_true);
    const Tensor guess =
        settings_.threshold
            ? cast(greater_equal(as_float(y_pred), *settings_.threshold), DType::int64)
            : class_numbers(y_pred, settings_.sparse_y_pred);
    const Tensor classes_true = reshape(truth, {-1}), classes_pred = reshape(guess, {-1});
    if (classes_true.shape() != classes_pred.shape())
      this->refuse(fmt::format("there are {} targets and {} predictions, expected equal numbers",
                               classes_true.shape()[0], classes_pred.shape()[0]));
    count(classes_true, classes_pred, sample_weight);
  }

  // Classes that neither targets nor predictions have are left out.
  double result() const override {
    double total = 0, present = 0;
    for (const int64_t target : settings_.targets) {
      const double both = count_at(target, target);
      double either = -both;
      for (int64_t c = 0; c < settings_.classes; ++c)
        either += count_at(target, c) + count_at(c, target);
      if (either <= 1e-9) continue;
      total += both / (either + kUnionEpsilon);
      present += 1;
    }
    return total / (present + kUnionEpsilon);
  }

 private:
  Tensor class_numbers(const Tensor& y, bool is_sparse) const {
    return cast(is_sparse ? y : argmax(as_float(y), settings_.axis), DType::int64);
  }

  // Classes that are out of range or ignored do not count.
  void count(const Tensor& truth, const Tensor& guess, const Tensor& sample_weight) {
    const auto is_class = [&](const Tensor& x) {
      return logical_and(greater_equal(x, 0), less(x, settings_.classes));
    };
    Tensor counts = logical_and(is_class(truth), is_class(guess));
    if (settings_.ignored) counts = logical_and(counts, not_equal(truth, *settings_.ignored));
    Tensor weight = as_float(counts);
    if (sample_weight.defined()) weight = weight * weights(sample_weight, truth.shape());
    const Tensor place = truth * settings_.classes + guess;
    const Tensor matrix =
        reshape(scatter_add(weight, select(counts, place, scalar(0, DType::int64)),
                            settings_.classes * settings_.classes),
                counts_.shape());
    this->add(counts_, is_whole_ ? cast(matrix, DType::int64) : matrix);
  }

  Tensor weights(const Tensor& sample_weight, const Shape& shape) const {
    Tensor weight = as_float(sample_weight);
    if (weight.rank() > 1) weight = reshape(weight, {-1});
    if (is_whole_) weight = as_float(cast(weight, DType::int64));
    return broadcast_to(weight, shape);
  }

  double count_at(int64_t truth, int64_t guess) const {
    const int64_t i = truth * settings_.classes + guess;
    if (!is_whole_) return floats_of(counts_)[i];
    return static_cast<double>(reinterpret_cast<const int64_t*>(counts_.data())[i]);
  }

  Settings settings_;
  bool is_whole_ = true;
  Variable counts_;
};

template <class Options>
Metric make(std::string_view class_name, const Options& options, Settings settings) {
  return Metric(std::make_shared<IoUBody<Options>>(class_name, options, std::move(settings)));
}

std::vector<int64_t> all_classes(int64_t count) {
  std::vector<int64_t> classes(static_cast<size_t>(std::clamp<int64_t>(count, 0, kMostClasses)));
  std::iota(classes.begin(), classes.end(), int64_t{0});
  return classes;
}

}  // namespace

void describe(Fields& fields, IoUOptions& options) {
  fields.with("name", options.name)
      .with("dtype", options.dtype)
      .with("num_classes", options.num_classes)
      .with("target_class_ids", options.target_class_ids)
      .with("ignore_class", options.ignore_class)
      .with("sparse_y_true", options.sparse_y_true)
      .with("sparse_y_pred", options.sparse_y_pred)
      .with("axis", options.axis);
}
void describe(Fields& fields, MeanIoUOptions& options) {
  fields.with("num_classes", options.num_classes)
      .with("name", options.name)
      .with("dtype", options.dtype)
      .with("ignore_class", options.ignore_class)
      .with("sparse_y_true", options.sparse_y_true)
      .with("sparse_y_pred", options.sparse_y_pred)
      .with("axis", options.axis);
}
void describe(Fields& fields, BinaryIoUOptions& options) {
  fields.with("target_class_ids", options.target_class_ids)
      .with("threshold", options.threshold)
      .with("name", options.name)
      .with("dtype", options.dtype);
}
void describe(Fields& fields, OneHotIoUOptions& options) {
  fields.with("num_classes", options.num_classes)
      .with("target_class_ids", options.target_class_ids)
      .with("name", options.name)
      .with("dtype", options.dtype)
      .with("ignore_class", options.ignore_class)
      .with("sparse_y_pred", options.sparse_y_pred)
      .with("axis", options.axis);
}
void describe(Fields& fields, OneHotMeanIoUOptions& options) {
  fields.with("num_classes", options.num_classes)
      .with("name", options.name)
      .with("dtype", options.dtype)
      .with("ignore_class", options.ignore_class)
      .with("sparse_y_pred", options.sparse_y_pred)
      .with("axis", options.axis);
}

IoU::IoU(const IoUOptions& options)
    : Metric(make("IoU", options,
                  {.classes = options.num_classes,
                   .targets = options.target_class_ids,
                   .ignored = options.ignore_class,
                   .sparse_y_true = options.sparse_y_true,
                   .sparse_y_pred = options.sparse_y_pred,
                   .axis = options.axis})) {}

MeanIoU::MeanIoU(const MeanIoUOptions& options)
    : Metric(make("MeanIoU", options,
                  {.classes = options.num_classes,
                   .targets = all_classes(options.num_classes),
                   .ignored = options.ignore_class,
                   .sparse_y_true = options.sparse_y_true,
                   .sparse_y_pred = options.sparse_y_pred,
                   .axis = options.axis})) {}

BinaryIoU::BinaryIoU(const BinaryIoUOptions& options)
    : Metric(make(
          "BinaryIoU", options,
          {.classes = 2, .targets = options.target_class_ids, .threshold = options.threshold})) {}

OneHotIoU::OneHotIoU(const OneHotIoUOptions& options)
    : Metric(make("OneHotIoU", options,
                  {.classes = options.num_classes,
                   .targets = options.target_class_ids,
                   .ignored = options.ignore_class,
                   .sparse_y_true = false,
                   .sparse_y_pred = options.sparse_y_pred,
                   .axis = options.axis})) {}

OneHotMeanIoU::OneHotMeanIoU(const OneHotMeanIoUOptions& options)
    : Metric(make("OneHotMeanIoU", options,
                  {.classes = options.num_classes,
                   .targets = all_classes(options.num_classes),
                   .ignored = options.ignore_class,
                   .sparse_y_true = false,
                   .sparse_y_pred = options.sparse_y_pred,
                   .axis = options.axis})) {}

}  // namespace plimsoll
