// plimsoll doctor: why a run has failed or learns badly, or what will go wrong with a model.
#include <fmt/format.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "plimsoll/base/error.h"
#include "plimsoll/cli/earlier_run.h"
#include "plimsoll/cli/output.h"
#include "plimsoll/cli/parse.h"
#include "plimsoll/cli/reading_arguments.h"
#include "plimsoll/cli/run_data.h"
#include "plimsoll/cli/wrong_usage.h"
#include "plimsoll/guards/doctor/diagnosis.h"
#include "plimsoll/guards/doctor/read_story.h"
#include "plimsoll/guards/doctor/rule.h"
#include "plimsoll/nn/clock.h"
#include "plimsoll/record/run_log.h"

namespace plimsoll::cli {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr const char* kDoctorHelp =
    "Examples: a run that has ended, and a model before it is trained\n\n"
    "  plimsoll doctor run\n"
    "  plimsoll doctor model.keras houses.csv --target price\n\n"
    "The causes are ranked: the most likely one comes first, with its evidence in numbers and the\n"
    "option or the line of Python that removes it. A healthy run has no finding above a note.\n";

struct DoctorArguments {
  TrainArguments train;  // of MODEL and DATA; of a RUN, those that it was started with
  std::string run;       // empty: there is none
  std::vector<std::string> thresholds;
  bool json = false, rules = false;
};

bool read(Arguments arguments, DoctorArguments& into) {
  CLI::App app(
      "Finds out why a run has failed or learns badly, or what will go wrong with a model.",
      "plimsoll doctor");
  std::string first;
  app.add_option("RUN|MODEL", first, "the folder of a run, or a model")->option_text(" ");
  app.add_option("DATA", into.train.data.path, "what the model is to be trained on")
      ->option_text(" ");
  add_objective(app, into.train.model);
  add_training(app, into.train.model);
  add_data_options(app, into.train.data);
  app.add_option("--threshold", into.thresholds, "another threshold of a rule, see --rules")
      ->option_text("NAME=X");
  app.add_flag("--rules", into.rules, "list the rules and their thresholds");
  app.add_flag("--json", into.json, "print the diagnosis as JSON");
  app.footer(kDoctorHelp);
  if (!parse(app, arguments)) return false;
  if (into.rules) return true;
  if (first.empty()) throw WrongUsage("doctor: expected the folder of a run, or a model");
  while (first.size() > 1 && first.ends_with('/')) first.pop_back();
  std::error_code error;
  if (fs::exists(first + "/run.json", error)) {
    if (!into.train.data.path.empty())
      throw WrongUsage("doctor: a run knows its data; give a RUN, or a MODEL and DATA");
    into.run = first;
  } else {
    into.train.model.path = first;
  }
  return true;
}

std::map<std::string, double> thresholds(const std::vector<std::string>& given) {
  std::map<std::string, double> changed;
  for (const std::string& text : given) {
    const size_t equals = text.find('=');
    char* end = nullptr;
    const std::string number = equals == text.npos ? "" : text.substr(equals + 1);
    const double value = std::strtod(number.c_str(), &end);
    if (number.empty() || *end != '\0')
      throw WrongUsage(fmt::format("doctor: --threshold: expected NAME=X, found '{}'", text));
    changed[text.substr(0, equals)] = value;
  }
  return changed;
}

// The arguments of the command that began the run, with paths that are good from here.
TrainArguments arguments_of(const std::string& run) {
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

// Without the data, if it cannot be read any more.
TrainingCase examine(const TrainArguments& arguments, bool is_run, Findings& findings) {
  Model model = load(arguments.model, is_run ? Weights::replaced : Weights::read, findings);
  compile(model, arguments.model);
  if (arguments.data.path.empty()) return model.examine();
  TrainArguments plain = arguments;
  plain.augmentation.clear();
  plain.validation.clear();
  plain.reading.on_bad = "skip";
  try {
    const RunData data = open_run_data(plain, model, fs::temp_directory_path().string(), findings);
    return model.examine(data.train);
  } catch (const IoError& error) {
    if (!is_run) throw;
    findings.add(
        {.severity = Finding::Severity::warning,
         .where = arguments.data.path,
         .what = fmt::format("the data of the run cannot be looked at: {}", error.what())});
    return model.examine();
  }
}

Json json_of(const DiagnosedCause& it) {
  Json evidence = Json::object(), where = Json::object();
  for (const auto& [name, value] : it.evidence) evidence[name] = json_number(value);
  if (!it.layer.empty()) where["layer"] = it.layer;
  if (!it.op.empty()) where["op"] = it.op;
  if (!it.record.empty()) where["record"] = it.record;
  return {{"cause", it.cause},
          {"severity", to_string(it.severity)},
          {"confidence", it.confidence},
          {"where", where},
          {"what", it.what},
          {"evidence", evidence},
          {"remedy", it.remedy},
          {"option", it.option}};
}

void print(const Diagnosis& diagnosis, bool json) {
  if (json) {
    Json findings = Json::array();
    for (const DiagnosedCause& it : diagnosis.findings) findings.push_back(json_of(it));
    Json all = {{"verdict", to_string(diagnosis.verdict)}, {"findings", findings}};
    if (diagnosis.skill) all["skill"] = json_number(*diagnosis.skill);
    print_json(all);
    return;
  }
  print_text(fmt::format("{}", to_string(diagnosis.verdict)));
  if (diagnosis.skill)
    print_text(fmt::format(": {:.0f}% of the way from a constant answer to a perfect one was made",
                           100 * *diagnosis.skill));
  print_text("\n");
  for (const DiagnosedCause& it : diagnosis.findings) {
    print_text(
        fmt::format("\n{} {} ({:.0f}%)\n", to_string(it.severity), it.cause, 100 * it.confidence));
    print_text(fmt::format("  {}\n  {}: {}\n", it.what, it.remedy, it.option));
  }
}

void print_rules() {
  for (const Rule& rule : rules()) {
    print_text(fmt::format("{:<24} reads {}\n", rule.cause, rule.reads));
    for (const Threshold& threshold : rule.thresholds)
      print_text(fmt::format("  {} = {:g}: {}\n", threshold.name, threshold.value, threshold.what));
  }
}

}  // namespace

int doctor(Arguments arguments) {
  DoctorArguments given;
  if (!read(arguments, given)) return kDone;
  if (given.rules) {
    print_rules();
    return kDone;
  }
  const auto changed = thresholds(given.thresholds);
  Findings findings;
  std::optional<RunStory> story;
  if (!given.run.empty()) {
    story = read_run_story(given.run);
    set_random_seed(read_run_json(given.run).value("seed", int64_t{0}));
    given.train = arguments_of(given.run);
  }
  TrainingCase found = examine(given.train, story.has_value(), findings);
  found.run = std::move(story);
  print(diagnose(found, changed), given.json);
  return kDone;
}

}  // namespace plimsoll::cli
