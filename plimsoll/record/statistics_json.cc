#include "plimsoll/record/statistics_json.h"

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "plimsoll/record/run_log.h"

namespace plimsoll {
namespace {

using Json = nlohmann::ordered_json;

Json short_number(double value) {
  if (!std::isfinite(value)) return json_number(value);
  char text[32];
  std::snprintf(text, sizeof text, "%.6g", value);
  return std::strtod(text, nullptr);
}

Json to_json(const Histogram& histogram) {
  return {{"least", short_number(histogram.least)},
          {"largest", short_number(histogram.largest)},
          {"counts", histogram.counts}};
}

Json to_json(const LayerStatistics& layer) {
  return {{"layer", layer.layer},
          {"activation", layer.activation},
          {"mean", short_number(layer.mean)},
          {"deviation", short_number(layer.deviation)},
          {"least", short_number(layer.least)},
          {"largest", short_number(layer.largest)},
          {"zero_share", short_number(layer.zero_share)},
          {"saturated_share", short_number(layer.saturated_share)},
          {"dead_unit_share", short_number(layer.dead_unit_share)},
          {"not_finite", layer.not_finite}};
}

Json to_json(const VariableStatistics& variable) {
  Json json = {{"layer", variable.layer},
               {"name", variable.name},
               {"elements", variable.elements},
               {"is_trained", variable.is_trained},
               {"norm", short_number(variable.norm)}};
  if (!variable.is_trained) return json;
  json["gradient_norm"] = short_number(variable.gradient_norm);
  json["update_norm"] = short_number(variable.update_norm);
  json["gradient_zero_share"] = short_number(variable.gradient_zero_share);
  json["not_finite"] = variable.not_finite;
  if (!variable.weights.counts.empty()) json["weights"] = to_json(variable.weights);
  if (!variable.gradients.counts.empty()) json["gradients"] = to_json(variable.gradients);
  return json;
}

template <class T>
Json list(const std::vector<T>& all) {
  Json json = Json::array();
  for (const T& one : all) json.push_back(to_json(one));
  return json;
}

}  // namespace

Json to_json(const StepStatistics& statistics) {
  return {{"step", statistics.step},
          {"epoch", statistics.epoch},
          {"loss", json_number(statistics.loss)},
          {"learning_rate", short_number(statistics.learning_rate)},
          {"layers", list(statistics.layers)},
          {"variables", list(statistics.variables)}};
}

}  // namespace plimsoll
