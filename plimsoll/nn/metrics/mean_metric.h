// Metrics that are the mean, or the sum, of one value per sample.
#pragma once

#include <memory>
#include <string>
#include <utility>

#include "plimsoll/nn/metrics/metric.h"

namespace plimsoll {

// State: total and count, float32 scalars.
class MeanBody : public MetricBody {
 public:
  explicit MeanBody(std::string name);
  double result() const override;
  // Adds values of which axis 0 is the sample.
  void add_values(const Tensor& values, const Tensor& sample_weight);

 private:
  Variable total_, count_;
};

// The mean of a function of targets and predictions. Values that the mask of the predictions leaves
// out do not count.
class MeanOfFunction final : public MeanBody {
 public:
  // How a config names it, if it is one of Keras's.
  struct Kind {
    std::string_view class_name = {};
    Direction direction = Direction::unknown;
    std::function<void(Fields&)> settings = {};
    MetricFunction value_mask = {};  // which values count; Keras asks only where there are weights
  };

  MeanOfFunction(std::string name, MetricFunction function);
  MeanOfFunction(std::string name, MetricFunction function, Kind kind);

  std::string_view class_name() const override { return kind_.class_name; }
  void config_fields(Fields& fields) const override;
  Direction direction() const override { return kind_.direction; }
  void update(const Tensor& y_true, const Tensor& y_pred, const Tensor& sample_weight) override;

 private:
  MetricFunction function_;
  Kind kind_;
};

// The mean of one of Keras's functions, described by options.
template <class Options>
Metric mean_of(std::string_view class_name, std::string_view default_name, Options options,
               Direction direction, MetricFunction function, MetricFunction value_mask = {}) {
  if (options.name.empty()) options.name = default_name;
  MeanOfFunction::Kind kind{
      .class_name = class_name, .direction = direction, .settings = [options](Fields& fields) {
        Options copy = options;
        describe(fields, copy);
      }};
  kind.value_mask = std::move(value_mask);
  return Metric(
      std::make_shared<MeanOfFunction>(options.name, std::move(function), std::move(kind)));
}

struct MeanOptions {
  std::string name = "mean";
};
void describe(Fields& fields, MeanOptions& options);

// The mean of values given directly, a running loss for instance.
struct Mean : Metric {
  explicit Mean(const MeanOptions& options = {});
  void update_state(const Tensor& values, const Tensor& sample_weight = {},
                    Place where = Place::here()) const;
};

struct SumOptions {
  std::string name = "sum";
};
void describe(Fields& fields, SumOptions& options);

// The sum of values given directly.
struct Sum : Metric {
  explicit Sum(const SumOptions& options = {});
  void update_state(const Tensor& values, const Tensor& sample_weight = {},
                    Place where = Place::here()) const;
};

}  // namespace plimsoll
