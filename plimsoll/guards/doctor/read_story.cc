#include "plimsoll/guards/doctor/read_story.h"

#include <cmath>
#include <filesystem>
#include <limits>
#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>
#include <vector>

#include "plimsoll/base/error.h"
#include "plimsoll/formats/archives/json.h"
#include "plimsoll/formats/bytes/read_text.h"
#include "plimsoll/formats/checkpoint/checkpoint_folder.h"

namespace plimsoll {
namespace {

using Json = nlohmann::ordered_json;

constexpr int64_t kMostLogBytes = int64_t{1} << 30;

// Numbers that JSON does not know are written by their names.
double number(const Json& json) {
  if (json.is_number()) return json.get<double>();
  const std::string name = json.is_string() ? json.get<std::string>() : "";
  const double infinity = std::numeric_limits<double>::infinity();
  return name == "inf" ? infinity : name == "-inf" ? -infinity : std::nan("");
}

double number_at(const Json& json, const char* key) {
  const auto found = json.find(key);
  return found == json.end() ? 0 : number(*found);
}

LayerStatistics read_layer(const Json& json) {
  LayerStatistics layer{.layer = json.at("layer").get<std::string>(),
                        .activation = json.value("activation", "")};
  layer.mean = number_at(json, "mean");
  layer.deviation = number_at(json, "deviation");
  layer.least = number_at(json, "least");
  layer.largest = number_at(json, "largest");
  layer.zero_share = number_at(json, "zero_share");
  layer.saturated_share = number_at(json, "saturated_share");
  layer.dead_unit_share = number_at(json, "dead_unit_share");
  layer.not_finite = json.value("not_finite", int64_t{0});
  return layer;
}

VariableStatistics read_variable(const Json& json) {
  VariableStatistics variable{.layer = json.at("layer").get<std::string>(),
                              .name = json.at("name").get<std::string>(),
                              .elements = json.value("elements", int64_t{0}),
                              .is_trained = json.value("is_trained", false)};
  variable.norm = number_at(json, "norm");
  variable.gradient_norm = number_at(json, "gradient_norm");
  variable.update_norm = number_at(json, "update_norm");
  variable.gradient_zero_share = number_at(json, "gradient_zero_share");
  variable.not_finite = json.value("not_finite", int64_t{0});
  return variable;
}

StepStatistics read_statistics(const Json& json) {
  StepStatistics statistics{.step = json.at("step").get<int64_t>(),
                            .epoch = json.at("epoch").get<int64_t>()};
  statistics.loss = number_at(json, "loss");
  statistics.learning_rate = number_at(json, "learning_rate");
  for (const Json& layer : json.at("layers")) statistics.layers.push_back(read_layer(layer));
  for (const Json& variable : json.at("variables"))
    statistics.variables.push_back(read_variable(variable));
  return statistics;
}

EpochStory read_epoch(const Json& json) {
  EpochStory epoch{.samples = json.value("samples", int64_t{0})};
  const Json& metrics = json.at("metrics");
  if (!metrics.is_object()) throw CorruptFile("the metrics of an epoch are not an object");
  for (const auto& [name, value] : metrics.items()) epoch.metrics[name] = number(value);
  epoch.seconds = number_at(json, "seconds");
  epoch.resident_bytes = json.value("resident_bytes", int64_t{0});
  epoch.step_seconds = number_at(json, "step_seconds");
  epoch.slowest_step_seconds = number_at(json, "slowest_step_seconds");
  epoch.core_wait_seconds = number_at(json, "core_wait_seconds");
  return epoch;
}

std::vector<GrowingLine> read_growing(const Json& epoch) {
  std::vector<GrowingLine> growing;
  const auto lines = epoch.find("growing");
  if (lines == epoch.end()) return growing;
  for (const Json& line : *lines)
    growing.push_back({line.at("line").get<std::string>(), line.at("tensors").get<int64_t>(),
                       line.at("bytes").get<int64_t>()});
  return growing;
}

NotFiniteStory read_not_finite(const Json& json) {
  NotFiniteStory story{.epoch = json.value("epoch", int64_t{0}),
                       .batch = json.value("batch", int64_t{0}),
                       .what = json.value("what", ""),
                       .op = json.value("op", ""),
                       .layer = json.value("layer", ""),
                       .line = json.value("line", "")};
  if (!story.op.empty())
    story.kind = story.op == "weight" || story.op == "update" || story.op == "input" ? story.op
                                                                                     : "operation";
  if (const auto records = json.find("records"); records != json.end())
    story.records = records->get<std::vector<std::string>>();
  return story;
}

Finding read_finding(const Json& json) {
  return {.severity = json.value("severity", "") == "warning" ? Finding::Severity::warning
                                                              : Finding::Severity::note,
          .where = json.value("where", ""),
          .what = json.value("what", ""),
          .remedy = json.value("remedy", "")};
}

ToldCause read_told(const Json& json) {
  ToldCause told{.cause = json.value("cause", ""),
                 .severity = json.value("severity", ""),
                 .confidence = number_at(json, "confidence"),
                 .what = json.value("what", ""),
                 .remedy = json.value("remedy", ""),
                 .option = json.value("option", "")};
  const auto where = json.find("where");
  if (where == json.end() || !where->is_object()) return told;
  for (const char* key : {where->contains("layer") ? "layer" : "op", "record", "line"})
    if (const std::string one = where->value(key, ""); !one.empty())
      told.where += (told.where.empty() ? "" : ", ") + one;
  return told;
}

void read_event(const Json& event, RunStory& story) {
  const std::string kind = event.value("event", "");
  if (kind == "start") story.started = event.value("time", "");
  if (kind == "end") story.ended = event.value("time", "");
  if (kind == "finding") story.findings.push_back(read_finding(event));
  if (kind == "diagnosis") story.told.push_back(read_told(event));
  if (kind == "epoch") {
    std::vector<GrowingLine> growing = read_growing(event);
    story.epochs.push_back(read_epoch(event));
    story.growing = std::move(growing);
  }
  if (kind == "statistics") story.statistics.push_back(read_statistics(event));
  if (kind == "not_finite") story.not_finite = read_not_finite(event);
}

void read_log(const std::string& path, RunStory& story) {
  const std::string text = read_own_text(path, kMostLogBytes, "a log");
  std::string_view rest = text;
  for (size_t end = rest.find('\n'); end != rest.npos; end = rest.find('\n')) {
    add_event(parse_json(rest.substr(0, end), path), path, story);
    rest.remove_prefix(end + 1);
  }
}

}  // namespace

void add_event(const Json& event, const std::string& path, RunStory& into) {
  try {
    read_event(event, into);
  } catch (const Json::exception&) {
    throw CorruptFile(path + ": has a line that is not an event of a run");
  }
}

RunStory story_of_run(const Json& json, const std::string& path) {
  RunStory story;
  try {
    const Json &options = json.at("options"), &result = json.at("result");
    story.is_of_command = json.contains("command");
    story.batch_size = options.at("batch_size").get<int64_t>();
    story.planned_epochs = options.at("epochs").get<int64_t>();
    story.is_shuffled = options.value("shuffle", true);
    story.has_class_weights =
        options.contains("class_weight") && !options["class_weight"].is_null();
    story.status = result.at("status").get<std::string>();
    story.why = result.value("why", "");
    story.data_wait_share = number_at(result, "data_wait_share");
    story.seconds = number_at(result, "seconds");
    story.quarantined = result.value("quarantined", int64_t{0});
  } catch (const Json::exception&) {
    throw CorruptFile(path + ": is not that of a run");
  }
  return story;
}

RunStory read_run_story(const std::string& run) {
  const std::string path = run + "/run.json";
  if (std::error_code error; !std::filesystem::exists(path, error))
    throw InvalidArgument(run + ": is not the folder of a run (it has no run.json)");
  const std::string text = read_own_text(path, kMostLogBytes, "a run.json");
  RunStory story = story_of_run(parse_json(text, path), path);
  read_log(run + "/log.jsonl", story);
  if (story.not_finite) {
    story.not_finite->batch_records = story.batch_size;
    story.not_finite->is_kept = !CheckpointFolder(run + "/bad-steps").numbers().empty();
  }
  return story;
}

}  // namespace plimsoll
