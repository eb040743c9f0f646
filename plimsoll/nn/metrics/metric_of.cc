#include "plimsoll/nn/metrics/metric_of.h"

#include <nlohmann/json.hpp>

#include "plimsoll/nn/layers/layer.h"

namespace plimsoll {

Fields& with_float_dtype(Fields& fields) {
  fields.write("dtype", "float32");
  return fields.ignored("dtype");
}

std::string automatic_metric_name(std::string_view class_name) {
  return unique_name(class_name);
}

void describe(Fields& fields, MetricOptions& options) {
  describe_metric(fields, options);
}

}  // namespace plimsoll
