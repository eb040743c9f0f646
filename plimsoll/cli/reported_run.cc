#include "plimsoll/cli/reported_run.h"

#include <fmt/format.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>

#include "plimsoll/base/error.h"
#include "plimsoll/cli/earlier_run.h"
#include "plimsoll/cli/examined_run.h"
#include "plimsoll/cli/named_files.h"
#include "plimsoll/cli/protect_inputs.h"
#include "plimsoll/cli/run_data.h"
#include "plimsoll/graph/initial_values.h"
#include "plimsoll/guards/doctor/diagnosis.h"
#include "plimsoll/guards/doctor/read_story.h"
#include "plimsoll/nn/clock.h"
#include "plimsoll/record/run_folder.h"
#include "plimsoll/train/normalise_inputs.h"
#include "plimsoll/train/runs/run_json.h"

namespace plimsoll::cli {
namespace {

namespace fs = std::filesystem;

// The data of a run, without what is random in it.
TrainArguments as_it_is(TrainArguments arguments) {
  arguments.augmentation.clear();
  arguments.reading.on_bad = "skip";
  return arguments;
}

// What all parts of a page share: the model that the run began with, and the data, opened once.
struct OpenedRun {
  std::optional<Model> first = {};
  std::optional<RunData> data = {};
};

Model first_model(const TrainArguments& arguments, Findings& findings) {
  Model model = load(arguments.model, Weights::replaced, findings);
  compile(model, arguments.model);
  return model;
}

// As the run has read it: `saved` is a model of the run, which stands in for a first one that is
// gone. IoError if there is no way to it.
RunData data_of(const TrainArguments& arguments, const std::optional<Model>& first,
                const std::string& saved, Findings& findings) {
  if (arguments.data.path == "-" || arguments.validation == "-")
    throw IoError("The data came from standard input, so it is not there any more.");
  const std::string folder = fs::temp_directory_path().string();
  if (first) return open_run_data(as_it_is(arguments), *first, folder, findings);
  if (saved.empty()) throw IoError("The run has left no model that says how its data is read.");
  const WithoutInitialValues only_opened;
  ModelArguments of_saved = arguments.model;
  of_saved.path = saved;
  return open_run_data(as_it_is(arguments), load(of_saved, Weights::reserved, findings), folder,
                       findings);
}

void show_data(const TrainArguments& arguments, const std::string& saved, const RunData& data,
               Findings& findings, ReportOptions& into) {
  into.training = data.train;
  into.validation = data.validation;
  into.class_names = data.class_names;
  if (arguments.reading.is_repair())
    into.reading =
        reading_options(arguments.reading, data_options_for(saved, arguments.data, findings));
  into.reading.allow_not_finite = arguments.reading.allow_nan;
}

Diagnosis diagnosis_of(const std::string& run, const TrainArguments& arguments,
                       const OpenedRun& opened) {
  Model model = *opened.first;
  if (arguments.normalise && opened.data) model = normalise_inputs(model, opened.data->train);
  TrainingCase found = opened.data ? model.examine(opened.data->train) : model.examine();
  found.run = read_run_story(run);
  // A page is read anywhere.
  return with_names(diagnose(found), named_files_of_run(run, {}));
}

}  // namespace

ReportOptions report_options(const std::string& run, bool with_data, Findings& findings) {
  const std::string folder = fs::absolute(run).lexically_normal().string();
  ReportOptions options{.no_data = with_data ? "" : "The page was made with --no-data.",
                        .images = with_data};
  TrainArguments arguments;
  try {
    if (is_of_program(folder)) {
      if (with_data)
        options.no_data =
            "The data is that of the program that has trained the run: plimsoll.report(run, "
            "validation_data=…) in Python shows predictions.";
      return options;  // the doctor looks at the folder, which is all that is known
    }
    set_random_seed(read_run_json(folder).value("seed", int64_t{0}));
    arguments = arguments_of_run(folder);
  } catch (const Error& error) {
    options.no_data = options.no_diagnosis =
        fmt::format("What the run began with cannot be read: {}", error.what());
    return options;
  }
  const std::string saved = model_in(folder);
  OpenedRun opened;
  try {
    opened.first = first_model(arguments, findings);
  } catch (const Error& error) {
    options.no_diagnosis = fmt::format("The doctor cannot look at the run: {}", error.what());
  }
  try {
    if (with_data) opened.data = data_of(arguments, opened.first, saved, findings);
  } catch (const Error& error) {
    options.no_data = fmt::format("The data of the run cannot be read: {}", error.what());
  }
  if (opened.data && !saved.empty()) show_data(arguments, saved, *opened.data, findings, options);
  try {
    if (opened.first) options.diagnosis = diagnosis_of(folder, arguments, opened);
  } catch (const Error& error) {
    options.no_diagnosis = fmt::format("The doctor cannot look at the run: {}", error.what());
  }
  return options;
}

void refuse_files_of_run(const char* command, const std::string& run, const std::string& out) {
  Inputs inputs;
  for (const std::string_view file : files_of_runs())
    if (file != "report.html" && file != "checkpoints" && file != "bad-steps")
      inputs.push_back({"a file of the run", run + "/" + std::string(file)});
  refuse_to_replace(command, out, inputs);
}

}  // namespace plimsoll::cli
