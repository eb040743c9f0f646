#include "plimsoll/report/report_json.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "plimsoll/report/outcome.h"
#include "plimsoll/report/profile_json.h"
#include "plimsoll/report/shown.h"
#include "plimsoll/report/story_json.h"

namespace plimsoll {
namespace {

using Json = nlohmann::ordered_json;

constexpr size_t kMostLayers = 4000, kMostItems = 200;
constexpr size_t kLongText = 1500;

// The part as `make` writes it, or {"missing": why}.
template <class T, class Make>
Json part_json(const Part<T>& part, const Make& make) {
  if (part.value) return make(*part.value);
  return {{"missing", shown(part.missing, kLongText)}};
}

template <class List, class Make>
Json list_json(const List& all, size_t most, const Make& make) {
  Json list = Json::array();
  for (size_t i = 0; i < std::min(all.size(), most); ++i) list.push_back(make(all[i]));
  return list;
}

// Numbers and short texts of an object, whatever else it has.
Json flat_object(const Json& object) {
  Json flat = Json::object();
  if (!object.is_object()) return flat;
  for (const auto& [name, value] : object.items()) {
    if (flat.size() == kMostItems) break;
    if (value.is_string())
      flat[shown(name, 80)] = shown(value.get<std::string>(), 400);
    else if (value.is_array() || value.is_object())
      flat[shown(name, 80)] =
          shown(value.dump(-1, ' ', false, Json::error_handler_t::replace), 400);
    else
      flat[shown(name, 80)] = value;
  }
  return flat;
}

// The layers of a plan as rows of numbers: their names would be most of the page.
Json plan_of(const Json& plan) {
  if (!plan.is_object()) return {{"missing", "run.json has no plan."}};
  constexpr const char* kColumns[] = {"weight_bytes",     "gradient_bytes", "optimizer_bytes",
                                      "activation_bytes", "scratch_bytes",  "live_at_peak_bytes"};
  Json json = flat_object(plan), rows = Json::array();
  json.erase("layers");
  json.erase("peak");
  json["peak_at"] = flat_object(member(plan, "peak"));
  const Json& layers = member(plan, "layers");
  if (layers.is_array())
    for (const Json& layer : layers) {
      if (rows.size() == kMostLayers) break;
      Json row = {text_in(layer, "name", 120)};
      for (const char* column : kColumns) row.push_back(integer_in(layer, column));
      rows.push_back(std::move(row));
    }
  json["layers"] = std::move(rows);
  json["layer_count"] = layers.is_array() ? layers.size() : 0;
  return json;
}

// Which way numbers get better, by their names: "up" or "down". Runs of earlier programs do not say
// it; a loss falls in them too.
Json directions_of(const Json& result) {
  Json directions = {{"loss", "down"}, {"val_loss", "down"}};
  const Json& known = member(result, "directions");
  if (!known.is_object()) return directions;
  for (const auto& [name, way] : known.items())
    if ((way == "up" || way == "down") && directions.size() < kMostItems)
      directions[shown(name, 80)] = way;
  return directions;
}

// A run that goes on, or was killed, has those of its last epoch in its log alone.
Json last_metrics_of(const Json& result, const RunStory& story) {
  const Json& known = member(result, "metrics");
  if (known.is_object() || story.epochs.empty()) return flat_object(known);
  Json metrics = Json::object();
  for (const auto& [name, value] : story.epochs.back().metrics)
    if (metrics.size() < kMostItems) metrics[shown(name, 80)] = shown_number(value);
  return metrics;
}

Json strings(const Json& list, size_t most) {
  Json texts = Json::array();
  if (!list.is_array()) return texts;
  for (const Json& text : list)
    if (text.is_string() && texts.size() < most)
      texts.push_back(shown(text.get<std::string>(), 400));
  return texts;
}

Json restarts_json(const Json& restarts) {
  Json list = Json::array();
  if (!restarts.is_array()) return list;
  for (const Json& it : restarts) {
    if (list.size() == kMostItems) break;
    list.push_back({{"time", text_in(it, "time", 40)},
                    {"version", text_in(it, "version", 40)},
                    {"threads", integer_in(it, "threads")},
                    {"findings", strings(member(it, "findings"), 20)}});
  }
  return list;
}

// plan.json was written by this program, but a folder may hold anything.
Json picture_json(const std::string& text) {
  const Json json = json_of(text);
  const auto is_list = [&](const char* key) { return member(json, key).is_array(); };
  for (const char* key : {"kinds", "names", "moments", "buffers", "layer_nanoseconds"})
    if (!is_list(key)) return {{"missing", "plan.json is damaged."}};
  Json names = Json::array();
  for (const Json& name : json["names"])
    names.push_back(name.is_string() ? shown(name.get<std::string>(), 120) : "");
  const auto rows = [&](const char* key, size_t width, size_t most) {
    Json list = Json::array();
    for (const Json& row : json[key]) {
      const bool is_row = row.is_array() && row.size() == width &&
                          std::ranges::all_of(row, [](const Json& it) { return it.is_number(); });
      if (is_row && list.size() < most) list.push_back(row);
    }
    return list;
  };
  return {{"arena_bytes", integer_in(json, "arena_bytes")},
          {"operations", integer_in(json, "operations")},
          {"joined", integer_in(json, "joined")},
          {"peak", integer_in(json, "peak")},
          {"kinds", strings(json["kinds"], 8)},
          {"names", std::move(names)},
          {"moments", rows("moments", 4, 2048)},
          {"buffers", rows("buffers", 8, 4096)},
          {"left_out", flat_object(member(json, "left_out"))},
          {"layer_nanoseconds", rows("layer_nanoseconds", 2, kMostLayers)}};
}

Json to_json(const ReportedModel& model) {
  return {{"name", shown(model.name, 120)},
          {"file", shown(model.file)},
          {"parameters", model.parameters},
          {"layer_count", model.layers.size()},
          {"layers", list_json(model.layers, kMostLayers, [](const ReportedLayer& it) -> Json {
             Json inputs = Json::array();
             for (const std::string& input : it.inputs)
               if (inputs.size() < 16) inputs.push_back(shown(input, 120));
             return {shown(it.name, 120), shown(it.kind, 60), shown(it.shape, 80), it.parameters,
                     inputs};
           })}};
}

Json to_json(const Quarantine& quarantine) {
  Json reasons = Json::object();
  for (const auto& [reason, count] : quarantine.reasons) reasons[shown(reason, 60)] = count;
  return {{"count", quarantine.count},
          {"reasons", reasons},
          {"first", list_json(quarantine.first, 24, [](const QuarantinedRecord& it) -> Json {
             return {{"path", shown(it.path)},
                     {"reason", shown(it.reason, 60)},
                     {"detail", shown(it.detail, 400)},
                     {"epoch", it.epoch},
                     {"thumbnail", it.thumbnail}};
           })}};
}

Json to_json(const SeenPredictions& seen) {
  Json points = Json::array();
  for (const auto& [actual, predicted] : seen.points)
    points.push_back({shown_number(actual), shown_number(predicted)});
  return {{"model", shown(seen.model)},
          {"error_name", seen.error_name},
          {"records", seen.records},
          {"of", seen.of},
          {"left_out", seen.left_out},
          {"classes",
           list_json(seen.classes, 1000, [](const std::string& it) { return shown(it, 60); })},
          {"confusion", seen.confusion},
          {"points", std::move(points)},
          {"worst", list_json(seen.worst, 24, [](const WorstRecord& it) -> Json {
             Json values = Json::array();
             for (const auto& [name, value] : it.values)
               values.push_back({shown(name, 60), shown_number(value)});
             return {{"name", shown(it.name)},
                     {"actual", shown(it.actual, 60)},
                     {"predicted", shown(it.predicted, 60)},
                     {"error", shown_number(it.error)},
                     {"thumbnail", it.thumbnail},
                     {"values", std::move(values)}};
           })}};
}

Json to_json(const ClassBalance& balance) {
  return {{"classes",
           list_json(balance.classes, 1000, [](const std::string& it) { return shown(it, 60); })},
          {"counts", balance.counts},
          {"looked_at", balance.looked_at},
          {"records", balance.records}};
}

Json to_json(const ReportedDiagnosis& diagnosis) {
  Json json = {{"verdict", shown(diagnosis.verdict, 40)},
               {"how", shown(diagnosis.how, kLongText)},
               {"causes", list_json(diagnosis.causes, 40, [](const ReportedCause& it) -> Json {
                  return {{"cause", shown(it.cause, 60)},
                          {"severity", shown(it.severity, 20)},
                          {"confidence", shown_number(it.confidence)},
                          {"where", shown(it.where)},
                          {"what", shown(it.what, kLongText)},
                          {"remedy", shown(it.remedy, kLongText)},
                          {"option", shown(it.option, 400)}};
                })}};
  if (diagnosis.skill) json["skill"] = shown_number(*diagnosis.skill);
  return json;
}

Json to_json(const std::vector<PlannedBudget>& budgets) {
  return {{"rows", list_json(budgets, 12, [](const PlannedBudget& it) -> Json {
             return {{"budget_bytes", it.budget_bytes},
                     {"peak_bytes", it.peak_bytes},
                     {"arena_bytes", it.arena_bytes},
                     {"step_seconds", it.step_seconds},
                     {"fits", it.fits},
                     {"saving", shown(it.saving, 400)}};
           })}};
}

Json findings_json(const std::vector<Finding>& findings) {
  return list_json(findings, kMostItems, [](const Finding& it) -> Json {
    return {{"severity", to_string(it.severity)},
            {"where", shown(it.where)},
            {"what", shown(it.what, kLongText)},
            {"remedy", shown(it.remedy, kLongText)}};
  });
}

Json told_json(const std::vector<ToldCause>& told) {
  return list_json(told, kMostItems, [](const ToldCause& it) -> Json {
    return {{"cause", shown(it.cause, 60)},
            {"severity", shown(it.severity, 20)},
            {"confidence", shown_number(it.confidence)},
            {"where", shown(it.where)},
            {"what", shown(it.what, kLongText)},
            {"remedy", shown(it.remedy, kLongText)},
            {"option", shown(it.option, 400)}};
  });
}

Json not_finite_json(const RunStory& story) {
  if (!story.not_finite) return nullptr;
  const NotFiniteStory& it = *story.not_finite;
  return {
      {"epoch", it.epoch},
      {"batch", it.batch},
      {"what", shown(it.what, kLongText)},
      {"op", shown(it.op, 80)},
      {"layer", shown(it.layer, 120)},
      {"records", list_json(it.records, 20, [](const std::string& name) { return shown(name); })}};
}

// The program that has trained the run, where no command has.
Json program_of(const Json& program) {
  return {{"arguments", strings(member(program, "arguments"), 400)},
          {"folder", text_in(program, "folder", 400)}};
}

}  // namespace

Json comparison_json(const RunReport& report, size_t runs) {
  const Json run = json_of(report.run_json);
  const Json &command = member(run, "command"), &data = member(run, "data");
  return {{"name", shown(report.name)},
          {"outcome", outcome_sentence(report)},
          {"status", shown(report.story.status, 20)},
          {"started", shown(report.story.started, 40)},
          {"ended", shown(report.story.ended, 40)},
          {"planned_epochs", report.story.planned_epochs},
          {"seconds", shown_number(report.story.seconds)},
          {"command",
           {{"arguments", strings(member(command, "arguments"), 400)},
            {"folder", text_in(command, "folder", 400)}}},
          {"program", program_of(member(run, "program"))},
          {"version", text_in(run, "version", 40)},
          {"machine", flat_object(member(run, "machine"))},
          {"seed", integer_in(run, "seed")},
          {"threads", integer_in(run, "threads")},
          {"model_file", flat_object(member(run, "model"))},
          {"data",
           {{"path", text_in(data, "path", 400)},
            {"records", integer_in(data, "records")},
            {"validation_records", integer_in(data, "validation_records")}}},
          {"options", flat_object(member(run, "options"))},
          {"result", flat_object(member(run, "result"))},
          {"last_metrics", last_metrics_of(member(run, "result"), report.story)},
          {"best", flat_object(member(member(run, "result"), "best"))},
          {"directions", directions_of(member(run, "result"))},
          {"curves", curves_json(report.story, runs)},
          {"plan", plan_of(member(run, "plan"))}};
}

Json to_json(const RunReport& report) {
  const Json run = json_of(report.run_json);
  Json json = comparison_json(report);
  json["picture"] = part_json(report.picture, picture_json);
  json["profile"] = part_json(report.profile, profile_json);
  json["budgets"] = part_json(report.budgets, [](const auto& it) { return to_json(it); });
  json["model"] = part_json(report.model, [](const auto& it) { return to_json(it); });
  json["statistics"] = statistics_of(report.story);
  json["quarantine"] = part_json(report.quarantine, [](const auto& it) { return to_json(it); });
  json["balance"] = part_json(report.balance, [](const auto& it) { return to_json(it); });
  json["predictions"] = part_json(report.predictions, [](const auto& it) { return to_json(it); });
  json["diagnosis"] = part_json(report.diagnosis, [](const auto& it) { return to_json(it); });
  json["findings"] = findings_json(report.story.findings);
  json["told"] = told_json(report.story.told);
  json["not_finite"] = not_finite_json(report.story);
  json["restarts"] = restarts_json(member(run, "restarts"));
  json["files"] = list_json(report.files, kMostItems, [](const KeptFile& it) -> Json {
    return {{"name", shown(it.name)}, {"bytes", it.bytes}};
  });
  return json;
}

}  // namespace plimsoll
