#include "plimsoll/cli/examined_run.h"

#include <fmt/format.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "plimsoll/base/error.h"
#include "plimsoll/cli/earlier_run.h"
#include "plimsoll/cli/reading_arguments.h"
#include "plimsoll/cli/run_data.h"
#include "plimsoll/guards/doctor/read_story.h"
#include "plimsoll/nn/clock.h"
#include "plimsoll/train/normalise_inputs.h"
#include "plimsoll/train/runs/examine_folder.h"
#include "plimsoll/train/runs/run_json.h"

namespace plimsoll::cli {
namespace {

namespace fs = std::filesystem;

// What spoils the loss of the validation is a bad record too.
void add_bad_records(const TrainingCase& validation, DataFacts& into) {
  if (!validation.data || validation.data->bad_records == 0) return;
  if (into.bad_records == 0) {
    into.first_bad = validation.data->first_bad;
    into.first_bad_record = validation.data->first_bad_record;
    into.first_bad_reason = validation.data->first_bad_reason;
  }
  into.bad_records += validation.data->bad_records;
}

TrainingCase examine(const TrainArguments& arguments, Weights weights, Findings& findings) {
  if (!arguments.data.path.empty()) {
    const ModelAndData opened = open_model_and_data(arguments, weights, findings);
    TrainingCase found = opened.model.examine(opened.data);
    if (opened.validation.source != nullptr && found.data)
      add_bad_records(opened.model.examine(opened.validation), *found.data);
    return found;
  }
  Model model = load(arguments.model, weights, findings);
  compile(model, arguments.model);
  return model.examine();
}

}  // namespace

TrainArguments arguments_of_run(const std::string& run) {
  const EarlierCommand command = command_of_run(run);
  std::vector<const char*> texts;
  for (const std::string& argument : command.arguments) texts.push_back(argument.c_str());
  TrainArguments arguments;
  if (!read(Arguments(texts), arguments))
    throw CorruptFile(run + "/run.json: has no command that trains");
  std::error_code error;
  fs::current_path(command.folder, error);
  if (error)
    throw IoError(fmt::format("{}: the run began in this folder, which cannot be entered: {}",
                              command.folder, error.message()));
  return arguments;
}

ModelAndData open_model_and_data(const TrainArguments& arguments, Weights weights,
                                 Findings& findings) {
  Model model = load(arguments.model, weights, findings);
  compile(model, arguments.model);
  TrainArguments plain = arguments;
  plain.augmentation.clear();
  // A validation that is gone is done without.
  if (std::error_code error; !fs::exists(plain.validation, error)) plain.validation.clear();
  plain.reading.on_bad = "skip";
  const RunData data = open_run_data(plain, model, fs::temp_directory_path().string(), findings);
  if (plain.normalise) model = normalise_inputs(model, data.train);
  return {model, data.train, data.validation};
}

TrainingCase examine_model(const TrainArguments& arguments, Findings& findings) {
  return examine(arguments, Weights::read, findings);
}

TrainingCase examine_run(const std::string& run, Findings& findings) {
  if (is_of_program(run)) {
    ExaminedFolder examined = examine_folder(run);
    findings.add({.severity = Finding::Severity::note,
                  .where = run,
                  .what = "a program has trained it: " + examined.how});
    return std::move(examined.found);
  }
  set_random_seed(read_run_json(run).value("seed", int64_t{0}));
  TrainArguments arguments = arguments_of_run(run);
  RunStory story = read_run_story(run);
  TrainingCase found;
  try {
    found = examine(arguments, Weights::replaced, findings);
  } catch (const IoError& error) {
    findings.add(
        {.severity = Finding::Severity::warning,
         .where = arguments.data.path,
         .what = fmt::format("the data of the run cannot be looked at: {}", error.what())});
    arguments.data.path.clear();
    found = examine(arguments, Weights::replaced, findings);
  }
  found.run = std::move(story);
  return found;
}

}  // namespace plimsoll::cli
