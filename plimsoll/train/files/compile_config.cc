#include "plimsoll/train/files/compile_config.h"

#include <nlohmann/json.hpp>
#include <utility>

#include "plimsoll/base/error.h"
#include "plimsoll/nn/losses/loss_list.h"
#include "plimsoll/nn/metrics/metric_list.h"
#include "plimsoll/nn/optimizers/optimizer_list.h"

namespace plimsoll {
namespace {

// True for an object of Keras, false for a list or for settings by the names of outputs.
bool is_object(const Json& json) {
  return json.is_object() && json.contains("class_name");
}

const Json& null_json() {
  static const Json null;
  return null;
}

const Json& value_of(const Json& json, const char* key) {
  const auto found = json.find(key);
  return found == json.end() ? null_json() : *found;
}

// An object in the form of Keras 3. Keras 2 adds how TensorFlow should run it, and has other names
// for some settings.
Json modern(Json json) {
  if (!is_object(json) || !json["class_name"].is_string()) return json;
  const auto name = json["class_name"].get<std::string>();
  const auto config = json.find("config");
  if (config == json.end() || !config->is_object()) return json;
  for (const char* key : {"jit_compile", "is_legacy_optimizer"}) config->erase(key);
  if (name != "MeanMetricWrapper") config->erase("fn");
  if (value_of(*config, "decay") == 0.0) config->erase("decay");
  if (value_of(*config, "reduction") == "auto") (*config)["reduction"] = "sum_over_batch_size";
  return json;
}

// Keras 2 registers its own optimizers as programs register theirs: "Custom>Adam".
Json modern_optimizer(Json json) {
  json = modern(std::move(json));
  if (!is_object(json) || !json["class_name"].is_string()) return json;
  const auto name = json["class_name"].get<std::string>();
  if (name.find('>') == name.npos) return json;
  json["class_name"] = name.substr(name.rfind('>') + 1);
  json.erase("registered_name");
  return json;
}

// --- one thing --------------------------------------------------------------------------------

Json to_json(double weight) {
  return weight;
}
Json to_json(const Loss& loss) {
  return loss.defined() ? config_of(loss) : Json();
}
Json to_json(const OutputMetrics& metrics) {
  if (metrics.empty()) return nullptr;
  if (metrics.size() == 1) return config_of(metrics[0]);
  Json list = Json::array();
  for (const Metric& metric : metrics) list.push_back(config_of(metric));
  return list;
}

void from_json(const Json& json, double& weight) {
  if (!json.is_number())
    throw InvalidArgument(std::string("compile: expected a loss weight, found ") +
                          json.type_name());
  weight = json.get<double>();
}

void from_json(const Json& json, Loss& loss) {
  if (!json.is_null()) loss = loss_from_config(modern(json));
}

void from_json(const Json& json, OutputMetrics& metrics) {
  if (json.is_null()) return;
  if (!json.is_array()) return metrics.push_back(metric_from_config(modern(json)));
  for (const Json& metric : json)
    if (!metric.is_null()) metrics.push_back(metric_from_config(modern(metric)));
}

// --- one an output ----------------------------------------------------------------------------

template <class T>
Json to_json(const PerOutput<T>& per_output) {
  if (per_output.empty()) return nullptr;
  if (per_output.is_shared) return to_json(per_output.values[0]);
  Json json = per_output.names.empty() ? Json::array() : Json::object();
  for (size_t i = 0; i < per_output.values.size(); ++i)
    if (per_output.names.empty())
      json.push_back(to_json(per_output.values[i]));
    else
      json[per_output.names[i]] = to_json(per_output.values[i]);
  return json;
}

template <class T>
void from_json(const Json& json, PerOutput<T>& per_output) {
  const auto read = [](const Json& value) {
    T item{};
    from_json(value, item);
    return item;
  };
  if (json.is_null()) return;
  if (json.is_array())
    for (const Json& value : json) per_output.values.push_back(read(value));
  else if (json.is_object() && !is_object(json))
    for (const auto& [name, value] : json.items()) per_output.add(name, read(value));
  else
    per_output = PerOutput<T>(read(json));
}

void read_objective(const Json& json, CompileOptions& options) {
  from_json(value_of(json, "loss"), options.loss);
  from_json(value_of(json, "loss_weights"), options.loss_weights);
  from_json(value_of(json, "metrics"), static_cast<PerOutput<OutputMetrics>&>(options.metrics));
  from_json(value_of(json, "weighted_metrics"),
            static_cast<PerOutput<OutputMetrics>&>(options.weighted_metrics));
}

void write_objective(const CompileOptions& options, Json& json) {
  const bool is_own = !options.own_objective.empty();
  const Json own = is_own ? Json::parse(options.own_objective) : Json::object();
  json["loss"] = is_own ? value_of(own, "loss") : to_json(options.loss);
  json["loss_weights"] = to_json(options.loss_weights);
  json["metrics"] = is_own ? value_of(own, "metrics") : to_json<OutputMetrics>(options.metrics);
  json["weighted_metrics"] =
      is_own ? value_of(own, "weighted_metrics") : to_json<OutputMetrics>(options.weighted_metrics);
  json["run_eagerly"] = false;
  json["steps_per_execution"] = 1;
  json["jit_compile"] = false;
}

void check_object(const Json& json) {
  if (!json.is_object())
    throw InvalidArgument(std::string("compile: expected an object of settings, found ") +
                          json.type_name());
}

}  // namespace

Json compile_config(const CompileOptions& options) {
  Json json = {{"optimizer", config_of(options.optimizer)}};
  write_objective(options, json);
  return json;
}

CompileOptions read_compile_config(const Json& json) {
  CompileOptions options;
  options.optimizer = read_optimizer(json);
  read_objective(json, options);
  return options;
}

Optimizer read_optimizer(const Json& json) {
  check_object(json);
  for (const char* key : {"optimizer", "optimizer_config"})
    if (const Json& optimizer = value_of(json, key); !optimizer.is_null())
      return optimizer_from_config(modern_optimizer(optimizer));
  return CompileOptions().optimizer;
}

Json training_config(const CompileOptions& options) {
  Json json = Json::object();
  write_objective(options, json);
  const Json optimizer = config_of(options.optimizer);
  json["optimizer_config"] = {{"class_name", optimizer["class_name"]},
                              {"config", optimizer["config"]}};
  return json;
}

}  // namespace plimsoll
