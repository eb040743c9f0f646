// Every kind of metric, once.
#pragma once

#include <span>

#include "plimsoll/nn/metric.h"

namespace plimsoll {

struct MetricKind {
  std::string_view name;        // Keras's function: "binary_accuracy"
  std::string_view class_name;  // Keras's class: "BinaryAccuracy"
  std::string_view short_name;  // "acc"; may be empty
  Metric (*make)();             // with Keras's defaults
};

std::span<const MetricKind> metric_list();

}  // namespace plimsoll
