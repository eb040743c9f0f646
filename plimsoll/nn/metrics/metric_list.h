// Every kind of metric, once.
#pragma once

#include <span>

#include "plimsoll/nn/keras/json.h"
#include "plimsoll/nn/metrics/metric.h"

namespace plimsoll {

struct MetricKind {
  std::string_view name;        // "binary_accuracy": Keras's class in small letters
  std::string_view class_name;  // Keras's class: "BinaryAccuracy"
  std::string_view short_name;  // "acc", in capitals too; may be empty
  // With Keras's defaults and this name; null if Keras has none, for num_classes say.
  Metric (*make)(std::string_view name);
  Metric (*from_config)(Fields&);
};

std::span<const MetricKind> metric_list();

// By any of its names, which becomes the metric's, or by a loss's; InvalidArgument lists the known
// names.
Metric make_metric(std::string_view name);

// As Keras writes it: the name by which it was requested, or {"module": "keras.metrics", …}.
// InvalidArgument if it is a function that a program made.
Json config_of(const Metric& metric);
// Reads what config_of made, or the name of one of Keras's functions.
Metric metric_from_config(const Json& json);

}  // namespace plimsoll
