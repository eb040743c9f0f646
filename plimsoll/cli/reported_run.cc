#include "plimsoll/cli/reported_run.h"

#include <fmt/format.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "plimsoll/base/error.h"
#include "plimsoll/cli/earlier_run.h"
#include "plimsoll/cli/examined_run.h"
#include "plimsoll/cli/protect_inputs.h"
#include "plimsoll/cli/run_data.h"
#include "plimsoll/graph/initial_values.h"
#include "plimsoll/guards/doctor/diagnosis.h"
#include "plimsoll/nn/clock.h"
#include "plimsoll/record/run_folder.h"

namespace plimsoll::cli {
namespace {

namespace fs = std::filesystem;

// The data of a run, without what is random in it.
TrainArguments as_it_is(TrainArguments arguments) {
  arguments.augmentation.clear();
  arguments.reading.on_bad = "skip";
  return arguments;
}

// `saved` is a model of the run.
void open_data_of(const TrainArguments& arguments, const std::string& saved, Findings& findings,
                  ReportOptions& into) {
  if (arguments.data.path == "-" || arguments.validation == "-")
    throw IoError("The data came from standard input, so it is not there any more.");
  const WithoutInitialValues only_opened;
  ModelArguments of_saved = arguments.model;
  of_saved.path = saved;
  const Model model = load(of_saved, Weights::reserved, findings);
  RunData data =
      open_run_data(as_it_is(arguments), model, fs::temp_directory_path().string(), findings);
  into.training = data.train;
  into.validation = data.validation;
  into.class_names = data.class_names;
  const DataOptions beside = data_options_for(saved, arguments.data, findings);
  if (arguments.reading.is_repair()) into.reading = reading_options(arguments.reading, beside);
  into.reading.allow_not_finite = arguments.reading.allow_nan;
}

Diagnosis diagnosis_of(const std::string& run, TrainArguments arguments, bool with_data,
                       Findings& findings) {
  if (!with_data || arguments.data.path == "-") arguments.data.path.clear();
  return diagnose(examine_run(run, std::move(arguments), findings));
}

std::string model_in(const std::string& run) {
  std::error_code error;
  for (const char* name : {"/best.keras", "/model.keras"})
    if (fs::exists(run + name, error)) return run + name;
  return {};
}

}  // namespace

ReportOptions report_options(const std::string& run, bool with_data, Findings& findings) {
  const std::string folder = fs::absolute(run).lexically_normal().string();
  ReportOptions options{.no_data = with_data ? "" : "The page was made with --no-data.",
                        .images = with_data};
  TrainArguments arguments;
  try {
    set_random_seed(read_run_json(folder).value("seed", int64_t{0}));
    arguments = arguments_of_run(folder);
  } catch (const Error& error) {
    options.no_data = options.no_diagnosis =
        fmt::format("What the run began with cannot be read: {}", error.what());
    return options;
  }
  try {
    options.diagnosis = diagnosis_of(folder, arguments, with_data, findings);
  } catch (const Error& error) {
    options.no_diagnosis = fmt::format("The doctor cannot look at the run: {}", error.what());
  }
  try {
    const std::string saved = model_in(folder);
    if (with_data && !saved.empty()) open_data_of(arguments, saved, findings, options);
  } catch (const Error& error) {
    options.no_data = fmt::format("The data of the run cannot be read: {}", error.what());
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
