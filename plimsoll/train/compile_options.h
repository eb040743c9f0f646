// What compile() takes, by Keras's names.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "plimsoll/nn/losses/loss.h"
#include "plimsoll/nn/metrics/metric.h"
#include "plimsoll/nn/optimizers/optimizer.h"
#include "plimsoll/train/steps/per_output.h"

namespace plimsoll {

// The metrics of one output.
struct OutputMetrics : std::vector<Metric> {
  OutputMetrics() = default;
  OutputMetrics(const char* name) : OutputMetrics(Metric(name)) {}
  OutputMetrics(const std::string& name) : OutputMetrics(Metric(name)) {}
  OutputMetrics(const Metric& metric) : std::vector<Metric>{metric} {}
  OutputMetrics(std::initializer_list<Metric> metrics) : std::vector<Metric>(metrics) {}
};

using MetricsByOutput = std::map<std::string, OutputMetrics>;

// {"accuracy", "mse"} are the metrics of a model's only output, or one each where it has two;
// {{"accuracy"}, {"mse", "mae"}} are lists, one per output; by name:
// MetricsByOutput{{"kind", {"accuracy"}}, {"size", {"mse", "mae"}}}.
struct Metrics : PerOutput<OutputMetrics> {
  Metrics() = default;
  Metrics(std::initializer_list<OutputMetrics> list) : PerOutput(list) {}
  Metrics(std::vector<OutputMetrics> list) : PerOutput(std::move(list)) {}
  Metrics(const std::vector<Metric>& flat)
      : PerOutput(std::vector<OutputMetrics>(flat.begin(), flat.end())) {}
  Metrics(const MetricsByOutput& named) : PerOutput(named) {}
};

struct CompileOptions {
  Optimizer optimizer = "rmsprop";
  // One for all outputs, one each, or by name: {{"kind", "mse"}, {"size", "mae"}}. An output whose
  // loss is empty, Loss(), is not trained.
  PerOutput<Loss> loss = {};
  PerOutput<double> loss_weights = {};  // none: each is 1
  Metrics metrics = {};                 // of samples that count alike
  Metrics weighted_metrics = {};        // of samples by their weight
  // What files say of losses and metrics that are functions of the program, which they cannot hold:
  // the JSON text {"loss": …, "metrics": …, "weighted_metrics": …}. Empty: there are none.
  std::string own_objective = {};
};

}  // namespace plimsoll
