#include "plimsoll/train/callbacks/monitor.h"

#include <cmath>
#include <utility>

#include "plimsoll/base/error.h"
#include "plimsoll/train/model.h"

namespace plimsoll {
namespace {

std::string known_names(const Logs& logs) {
  std::string names;
  for (const auto& [name, value] : logs) names += (names.empty() ? "" : ", ") + name;
  return names;
}

bool ends_with_word(std::string_view name, std::string_view word) {
  return name == word || name.ends_with("_" + std::string(word));
}

// Any loss should fall; each metric knows which direction is better, but for a few.
std::optional<bool> rises_by_name(std::string_view name, const Model& model) {
  if (name.starts_with("val_")) name.remove_prefix(4);
  if (ends_with_word(name, "loss")) return false;
  for (const Metrics* metrics :
       {&model.compile_options().metrics, &model.compile_options().weighted_metrics})
    for (const OutputMetrics& some : metrics->values)
      for (const Metric& metric : some)
        if (metric.defined() && ends_with_word(name, metric.name()) &&
            metric.direction() != Direction::unknown)
          return metric.direction() == Direction::up;
  return std::nullopt;
}

}  // namespace

bool is_direction_known(const std::string& monitor, const Model& model) {
  return rises_by_name(monitor, model).has_value();
}

bool is_more_better(const std::string& monitor, const std::string& mode, const Model& model) {
  if (mode == "min" || mode == "max") return mode == "max";
  return rises_by_name(monitor, model).value_or(false);
}

Monitor::Monitor(MonitorOptions options) : options_(std::move(options)) {
  if (options_.mode == "min")
    rises_ = false;
  else if (options_.mode == "max")
    rises_ = true;
  else if (options_.mode != "auto")
    throw InvalidArgument(options_.owner + ": mode must be auto, min or max, found '" +
                          options_.mode + "'");
}

std::optional<double> Monitor::value(TrainingState& state) const {
  const Logs& logs = state.logs();
  const auto found = logs.find(options_.monitor);
  if (found != logs.end()) return found->second;
  state.warn(options_.owner + ": '" + options_.monitor + "' is not in the logs (there are " +
             known_names(logs) + ")");
  return std::nullopt;
}

bool Monitor::is_improvement(double value, std::optional<double> reference, const Model& model) {
  if (!rises_) rises_ = rises_by_name(options_.monitor, model);
  if (!rises_)
    throw InvalidArgument(options_.owner + ": whether '" + options_.monitor +
                          "' should rise or fall is not known; pass mode \"max\" or \"min\"");
  if (!reference) return true;
  // Keras compares in float32.
  const double delta = std::abs(options_.min_delta);
  const auto shifted = static_cast<float>(*rises_ ? value - delta : value + delta);
  const auto old = static_cast<float>(*reference);
  return *rises_ ? shifted > old : shifted < old;
}

}  // namespace plimsoll
