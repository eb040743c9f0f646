#include "plimsoll/train/report/write_report.h"

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <utility>

#include "plimsoll/base/atomic_file.h"
#include "plimsoll/base/error.h"
#include "plimsoll/graph/initial_values.h"
#include "plimsoll/guards/doctor/case.h"
#include "plimsoll/guards/doctor/read_story.h"
#include "plimsoll/report/page.h"
#include "plimsoll/report/read_run_files.h"
#include "plimsoll/report/shown.h"
#include "plimsoll/train/files/model_file.h"
#include "plimsoll/train/report/planned_budgets.h"
#include "plimsoll/train/report/seen_predictions.h"
#include "plimsoll/train/runs/examine_folder.h"
#include "plimsoll/train/runs/run_json.h"

namespace plimsoll {
namespace {

using Json = nlohmann::ordered_json;

Part<ReportedModel> describe(const Model& model, const std::string& path) {
  ReportedModel shown{.name = model.name(),
                      .file = std::filesystem::path(path).filename().string(),
                      .parameters = model.count_params()};
  for (const Network::Row& row : model.network().rows()) {
    ReportedLayer layer{.name = row.name, .kind = row.kind, .inputs = row.sources};
    for (const Shape& shape : row.outputs)
      layer.shape += (layer.shape.empty() ? "" : " ") + display(shape);
    if (row.layer != nullptr)
      for (const Variable& weight : row.layer->weights())
        layer.parameters += weight.shape().elements();
    shown.layers.push_back(std::move(layer));
  }
  return {shown};
}

// How the run was allowed to save memory.
BudgetRequest request_of(const RunReport& report) {
  const Json run = json_of(report.run_json);
  const Json& options = member(run, "options");
  const auto flag = [&](const char* name, bool otherwise) {
    const Json& value = member(options, name);
    return value.is_boolean() ? value.get<bool>() : otherwise;
  };
  BudgetRequest request{.batch_size = integer_in(member(run, "plan"), "batch_size")};
  request.saving.recompute = flag("recompute", true);
  request.saving.spill = flag("spill", true);
  request.saving.micro_batches = flag("micro_batches", true);
  request.saving.sequence_parts = flag("sequence_parts", true);
  request.saving.early_updates = flag("early_updates", true);
  request.saving.batch_statistics_per_part = flag("batch_statistics_per_part", false);
  return request;
}

// Layers and budgets need no weights, so none are read.
void plan_model(const std::string& path, const ReportOptions& options, RunReport& report) {
  const WithoutInitialValues only_planned;
  const LoadedModel loaded = load_model(path, {.weights = false, .optimizer_state = false});
  report.model = describe(loaded.model, path);
  report.budgets = plan_budgets(loaded.model, options.training, request_of(report));
}

void run_model(const std::string& path, const ReportOptions& options, RunReport& report) {
  const LoadedModel loaded = load_model(path, {.optimizer_state = false});
  report.predictions = see_predictions(loaded.model, options.validation,
                                       {.class_names = options.class_names,
                                        .reading = options.reading,
                                        .most_records = options.most_records,
                                        .most_seconds = options.most_seconds});
  if (report.predictions.value)
    report.predictions.value->model = std::filesystem::path(path).filename().string();
}

Part<ClassBalance> balance_of(const std::string& path, const ReportOptions& options) {
  if (options.training.source->stream() != nullptr)
    return {{},
            "The training data is a stream, which is not read for a page; arrays can be given."};
  const WithoutInitialValues only_looked_at;
  const LoadedModel loaded = load_model(path, {.weights = false, .optimizer_state = false});
  if (!loaded.compiled) return {{}, "The model of the run is saved without compile settings."};
  const TrainingCase found = loaded.model.examine(options.training, options.reading);
  if (!found.data || found.data->targets.size() != 1 ||
      found.data->targets[0].class_counts.empty() || found.data->targets[0].has_gaps)
    return {{}, "The targets of the training data are not classes."};
  ClassBalance balance{.counts = found.data->targets[0].class_counts,
                       .looked_at = found.data->looked_at,
                       .records = found.data->records};
  for (size_t i = 0; i < balance.counts.size(); ++i)
    balance.classes.push_back(i < options.class_names.size() ? options.class_names[i]
                                                             : std::to_string(i));
  return {balance};
}

// Calls `make`; where it fails, the part says so.
template <class T, class Make>
void try_part(Part<T>& part, const Make& make) {
  try {
    make();
  } catch (const Error& error) {
    part = {{}, error.what()};
  }
}

// "dense_1, houses.csv:17, main.py:12": what is known of it.
std::string where(const DiagnosedCause& it) {
  std::string text = it.layer.empty() ? it.op : it.layer;
  for (const std::string& more : {it.record, it.line})
    if (!more.empty()) text += (text.empty() ? "" : ", ") + more;
  return text;
}

ReportedDiagnosis shown_diagnosis(const Diagnosis& diagnosis) {
  ReportedDiagnosis shown{.verdict = std::string(to_string(diagnosis.verdict)),
                          .skill = diagnosis.skill};
  for (const DiagnosedCause& it : diagnosis.findings)
    shown.causes.push_back({.cause = it.cause,
                            .severity = std::string(to_string(it.severity)),
                            .what = it.what,
                            .remedy = it.remedy,
                            .option = it.option,
                            .where = where(it),
                            .confidence = it.confidence});
  return shown;
}

// What was given, or what the folder of the run shows.
Part<ReportedDiagnosis> diagnosis_of_run(const std::string& run, const ReportOptions& options) {
  if (options.diagnosis) return {shown_diagnosis(*options.diagnosis)};
  if (!options.no_diagnosis.empty()) return {{}, options.no_diagnosis};
  const ExaminedFolder examined = examine_folder(run, options.training, options.model);
  ReportedDiagnosis shown = shown_diagnosis(diagnose(examined.found));
  shown.how = examined.how;
  return {shown};
}

std::string why_no_data(const ReportOptions& options, const RunStory& story) {
  if (!options.no_data.empty()) return options.no_data;
  const std::string not_given = "The data of the run was not given; ";
  return not_given + (story.is_of_command ? "'plimsoll report RUN' looks for it itself."
                                          : "it is that of the program that has trained the run.");
}

void say_in_words_of(const ReportOptions& options, RunReport& report) {
  if (!options.words || report.story.is_of_command) return;
  const auto say = [&](auto& it) {
    it.what = options.words(it.what);
    it.remedy = options.words(it.remedy);
    if constexpr (requires { it.option; }) it.option = options.words(it.option);
  };
  std::ranges::for_each(report.story.findings, say);
  std::ranges::for_each(report.story.told, say);
  if (report.diagnosis.value) std::ranges::for_each(report.diagnosis.value->causes, say);
}

void add_model_parts(const std::string& run, const ReportOptions& options, RunReport& report) {
  const std::string path = model_in(run);
  if (path.empty()) {
    const std::string none = "The run has left no model.";
    report.model.missing = report.budgets.missing = none;
    report.predictions.missing = report.balance.missing = none;
    return;
  }
  try_part(report.model, [&] { plan_model(path, options, report); });
  if (!report.model.value && report.budgets.missing.empty())
    report.budgets.missing = report.model.missing;
  report.balance.missing = report.predictions.missing = why_no_data(options, report.story);
  if (options.training.source != nullptr)
    try_part(report.balance, [&] { report.balance = balance_of(path, options); });
  if (options.validation.source != nullptr)
    try_part(report.predictions, [&] { run_model(path, options, report); });
  else if (options.training.source != nullptr)
    report.predictions.missing = "The run had no validation data.";
}

}  // namespace

void write_report(const std::string& run, const std::string& path, const ReportOptions& options) {
  RunReport report = read_run_files(run, read_run_story(run), options.images);
  add_model_parts(run, options, report);
  try_part(report.diagnosis, [&] { report.diagnosis = diagnosis_of_run(run, options); });
  say_in_words_of(options, report);
  write_file(path, report_page(report));
}

void write_comparison(const std::vector<std::string>& runs, const std::string& path) {
  if (runs.size() < 2) throw InvalidArgument("compare: expected two runs or more");
  std::vector<RunReport> reports;
  for (const std::string& run : runs) {
    reports.push_back(read_run_files(run, read_run_story(run), false));
    reports.back().name = run;  // folders of one name may be in several places
  }
  write_file(path, comparison_page(reports));
}

}  // namespace plimsoll
