#include "plimsoll/nn/metrics/mean_metric.h"

#include <numeric>
#include <utility>

#include "plimsoll/nn/as_float.h"
#include "plimsoll/nn/losses/loss_arguments.h"
#include "plimsoll/nn/metrics/metric_of.h"
#include "plimsoll/ops/elementwise/elementwise.h"
#include "plimsoll/ops/movement/movement.h"
#include "plimsoll/ops/reduction/reduction.h"

namespace plimsoll {
namespace {

constexpr Spec kNumber{};

using Reduce = Tensor (*)(const Operand& x, std::vector<int> axes, bool keepdims);

// Over all axes from `first` on.
Tensor reduce_from(const Tensor& x, int first, Reduce reduce) {
  if (x.rank() <= first) return x;
  std::vector<int> axes(static_cast<size_t>(x.rank() - first));
  std::iota(axes.begin(), axes.end(), first);
  return reduce(x, axes, false);
}

// One weighted value per sample, and its weight if there are any.
struct Samples {
  Tensor values, weights;
};
Samples by_sample(const Tensor& given, const Tensor& sample_weight, Reduce reduce) {
  Tensor values = as_float(given);
  if (!sample_weight.defined()) return {reduce_from(values, 1, reduce), {}};
  const auto [matched, weights] = match_rank(values, as_float(sample_weight));
  values = reduce_from(matched, weights.rank(), reduce);
  const Tensor spread = broadcast_to(weights, values.shape());
  return {reduce_from(values * spread, 1, reduce), reduce_from(spread, 1, reduce)};
}

// The weights where the mask says that values count, 0 elsewhere.
Tensor masked(const Tensor& sample_weight, const Tensor& mask) {
  if (!mask.defined()) return sample_weight;
  if (!sample_weight.defined()) return as_float(mask);
  const auto [counts, weights] = match_rank(as_float(mask), as_float(sample_weight));
  return counts * weights;
}

class GivenMean final : public MeanBody {
 public:
  using MeanBody::MeanBody;
  std::string_view class_name() const override { return "Mean"; }
  void config_fields(Fields& fields) const override {
    MeanOptions options{.name = name()};
    describe(fields, options);
  }
  void update(const Tensor&, const Tensor& y_pred, const Tensor& sample_weight) override {
    add_values(y_pred, sample_weight);
  }
};

class SumBody final : public MetricBody {
 public:
  explicit SumBody(std::string name)
      : MetricBody(std::move(name)), total_(add_variable("total", kNumber)) {}
  std::string_view class_name() const override { return "Sum"; }
  void config_fields(Fields& fields) const override {
    SumOptions options{.name = name()};
    describe(fields, options);
  }
  void update(const Tensor&, const Tensor& y_pred, const Tensor& sample_weight) override {
    add(total_, sum(by_sample(y_pred, sample_weight, sum).values));
  }
  double result() const override { return *floats_of(total_); }

 private:
  Variable total_;
};

}  // namespace

MeanBody::MeanBody(std::string name)
    : MetricBody(std::move(name)),
      total_(add_variable("total", kNumber)),
      count_(add_variable("count", kNumber)) {}

double MeanBody::result() const {
  const double count = *floats_of(count_);
  return count == 0 ? 0 : *floats_of(total_) / count;
}

void MeanBody::add_values(const Tensor& given, const Tensor& sample_weight) {
  const auto [values, weights] = by_sample(given, sample_weight, mean);
  const double samples = values.rank() == 0 ? 1 : static_cast<double>(values.shape()[0]);
  add(total_, sum(values));
  add(count_, weights.defined() ? sum(weights) : scalar(samples));
}

MeanOfFunction::MeanOfFunction(std::string name, MetricFunction function)
    : MeanOfFunction(std::move(name), std::move(function), Kind{}) {}

MeanOfFunction::MeanOfFunction(std::string name, MetricFunction function, Kind kind)
    : MeanBody(std::move(name)), function_(std::move(function)), kind_(std::move(kind)) {}

Metric::Metric(std::string name, MetricFunction function)
    : body_(std::make_shared<MeanOfFunction>(std::move(name), std::move(function))) {}

void MeanOfFunction::config_fields(Fields& fields) const {
  if (kind_.settings) kind_.settings(fields);
}

void MeanOfFunction::update(const Tensor& y_true, const Tensor& y_pred,
                            const Tensor& sample_weight) {
  Tensor weight = masked(sample_weight, y_pred.mask());
  if (weight.defined() && kind_.value_mask)
    weight = masked(weight, kind_.value_mask(y_true, y_pred));
  add_values(function_(y_true, y_pred), weight);
}

void describe(Fields& fields, MeanOptions& options) {
  describe_metric(fields, options);
}
void describe(Fields& fields, SumOptions& options) {
  describe_metric(fields, options);
}

Mean::Mean(const MeanOptions& options) : Metric(std::make_shared<GivenMean>(options.name)) {}

void Mean::update_state(const Tensor& values, const Tensor& sample_weight, Place where) const {
  Metric::update_state(values, values, sample_weight, where);
}

Sum::Sum(const SumOptions& options) : Metric(std::make_shared<SumBody>(options.name)) {}

void Sum::update_state(const Tensor& values, const Tensor& sample_weight, Place where) const {
  Metric::update_state(values, values, sample_weight, where);
}

}  // namespace plimsoll
