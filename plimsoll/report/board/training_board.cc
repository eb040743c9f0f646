#include "plimsoll/report/board/training_board.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "plimsoll/base/error.h"
#include "plimsoll/base/printable.h"
#include "plimsoll/formats/archives/json.h"
#include "plimsoll/report/board/record_picture.h"

namespace plimsoll {
namespace {

using Json = nlohmann::ordered_json;

double mebibytes(int64_t bytes) {
  return static_cast<double>(bytes) / (1 << 20);
}

// Text that a person wrote, as Markdown that shows it as it is.
std::string as_code(const std::string& text) {
  std::string lines = "    ";
  for (const char c : printable_lines(text)) lines += c == '\n' ? "\n    " : std::string(1, c);
  return lines;
}

}  // namespace

void TrainingBoard::add_hyper_parameters(const HyperParameters& values) {
  const std::string start = hyper_parameters_summary(values, wall_seconds());
  files_.add("", std::span(&start, 1), 0);
  has_hyper_parameters_ = true;
}

void TrainingBoard::add_batch(int64_t step, const std::map<std::string, double>& metrics,
                              double steps_per_second) {
  std::vector<std::string> values;
  for (const auto& [name, value] : metrics)
    values.push_back(scalar_summary("batch_" + name, value));
  if (steps_per_second > 0)
    values.push_back(scalar_summary("batch_steps_per_second", steps_per_second));
  files_.add("train", values, step);
}

void TrainingBoard::add_epoch(const BoardEpoch& epoch) {
  constexpr std::string_view kValidation = "val_";
  std::vector<std::string> train, validation;
  for (const auto& [name, value] : epoch.metrics) {
    const bool is_validation = name.starts_with(kValidation);
    const std::string tag = "epoch_" + (is_validation ? name.substr(kValidation.size()) : name);
    (is_validation ? validation : train).push_back(scalar_summary(tag, value));
  }
  const auto add = [&](const char* tag, double value) {
    if (value > 0) train.push_back(scalar_summary(tag, value));
  };
  if (!epoch.metrics.contains("learning_rate")) add("epoch_learning_rate", epoch.learning_rate);
  add("epoch_steps_per_second", epoch.steps_per_second);
  add("throughput/samples_per_second", epoch.samples_per_second);
  add("memory/resident_MiB", mebibytes(epoch.resident_bytes));
  add("memory/planned_peak_MiB", mebibytes(epoch.planned_peak_bytes));
  files_.add("train", train, epoch.epoch);
  files_.add("validation", validation, epoch.epoch);
}

void TrainingBoard::add_histogram(const std::string& tag, const Histogram& histogram,
                                  int64_t step) {
  const std::string value =
      histogram_summary(tag, histogram.least, histogram.largest, histogram.counts);
  files_.add("train", std::span(&value, 1), step);
}

void TrainingBoard::add_statistics(const StepStatistics& statistics) {
  std::vector<std::string> values = {
      scalar_summary("step_loss", statistics.loss),
      scalar_summary("step_learning_rate", statistics.learning_rate)};
  const auto add = [&](const char* kind, const VariableStatistics& variable,
                       const Histogram& histogram) {
    if (histogram.counts.empty()) return;
    const std::string tag = variable.layer.empty()
                                ? fmt::format("{}/{}", kind, variable.name)
                                : fmt::format("{}/{}/{}", kind, variable.layer, variable.name);
    values.push_back(histogram_summary(tag, histogram.least, histogram.largest, histogram.counts));
  };
  for (const VariableStatistics& variable : statistics.variables) {
    add("weights", variable, variable.weights);
    add("gradients", variable, variable.gradients);
  }
  files_.add("steps", values, statistics.step);
}

void TrainingBoard::add_bad_record(const std::string& name, const std::string& why, int64_t epoch) {
  if (bad_records_ >= kMostBadRecords) return;
  const int64_t number = ++bad_records_;
  // A tag is shown by one plugin alone, so pictures have their own.
  std::vector<std::string> values = {
      text_summary(fmt::format("bad_records/{:02}", number), as_code(name + ": " + why))};
  if (const std::optional<RecordPicture> picture = picture_of_record(name))
    values.push_back(image_summary(fmt::format("bad_pictures/{:02}", number), picture->height,
                                   picture->width, std::span(&picture->file, 1),
                                   printable(name + ": " + why)));
  files_.add("", values, epoch);
}

void TrainingBoard::add_finding(const Finding& finding, int64_t epoch) {
  const std::string value =
      text_summary(fmt::format("findings/{:03}", ++findings_), as_code(to_string(finding)));
  files_.add("", std::span(&value, 1), epoch);
}

void TrainingBoard::add_outcome(bool has_failed) {
  if (!has_hyper_parameters_) return;
  const std::string value = run_end_summary(has_failed, wall_seconds());
  files_.add("", std::span(&value, 1), 0);
}

std::string TrainingBoard::state() {
  return Json{{"files", files_.state()},
              {"findings", findings_},
              {"bad_records", bad_records_},
              {"hyper_parameters", has_hyper_parameters_}}
      .dump();
}

void TrainingBoard::go_on(const std::string& state, const std::string& where) {
  try {
    const Json json = parse_json(state, where);
    findings_ = json.at("findings").get<int64_t>();
    bad_records_ = json.at("bad_records").get<int64_t>();
    has_hyper_parameters_ = json.at("hyper_parameters").get<bool>();
    files_.go_on(json.at("files").get<std::string>(), where);
  } catch (const Json::exception&) {
    throw CorruptFile(where + ": it is not the state of a TensorBoard callback");
  }
}

}  // namespace plimsoll
