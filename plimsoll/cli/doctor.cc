// plimsoll doctor: why a run has failed or learns badly, or what will go wrong with a model.
#include <fmt/format.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "plimsoll/cli/diagnosis_text.h"
#include "plimsoll/cli/examined_run.h"
#include "plimsoll/cli/find_rate.h"
#include "plimsoll/cli/named_files.h"
#include "plimsoll/cli/output.h"
#include "plimsoll/cli/parse.h"
#include "plimsoll/cli/repair.h"
#include "plimsoll/cli/wrong_usage.h"
#include "plimsoll/guards/doctor/diagnosis.h"
#include "plimsoll/guards/doctor/diagnosis_json.h"
#include "plimsoll/guards/doctor/rule.h"

namespace plimsoll::cli {
namespace {

namespace fs = std::filesystem;

constexpr const char* kDoctorHelp =
    "Examples: a run that has ended, and a model before it is trained\n\n"
    "  plimsoll doctor run\n"
    "  plimsoll doctor model.keras houses.csv --target price\n\n"
    "a learning rate for a model, and a run that is trained again with what was found\n\n"
    "  plimsoll doctor model.keras houses.csv --target price --find-lr\n"
    "  plimsoll doctor run --repair --out repaired\n\n"
    "The causes are ranked: the most likely one comes first, with its evidence in numbers and the\n"
    "option or the line of Python that removes it. A healthy run has no finding above a note.\n";

struct DoctorArguments {
  TrainArguments train;  // of MODEL and DATA; of a RUN, those that it was started with
  std::string run;       // a whole path; empty: there is none
  std::string run_name;  // as it was given
  std::vector<std::string> thresholds;
  bool json = false, rules = false, find_rate = false, repair = false;
  std::string out;  // of --repair
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
  app.add_flag(
      "--find-lr", into.find_rate,
      "propose a learning rate: try rates from 1e-7 to 10, one per step; nothing is saved");
  auto* repair = app.add_flag("--repair", into.repair,
                              "train again with the options that the findings of RUN name, and "
                              "report before and after");
  app.add_option("--out", into.out, "the folder to make for the repaired run")
      ->option_text("NEWRUN")
      ->needs(repair);
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
    into.run = fs::absolute(first).string();
    into.run_name = first;
  } else {
    into.train.model.path = first;
  }
  if (into.repair && (into.run.empty() || into.out.empty()))
    throw WrongUsage("doctor: --repair expects a RUN, and --out names the folder of the new one");
  if (into.find_rate && into.run.empty() && into.train.data.path.empty())
    throw WrongUsage("doctor: --find-lr expects a RUN, or a MODEL and DATA");
  if (into.repair) into.out = fs::absolute(into.out).string();
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
  if (given.find_rate) {
    if (!given.run.empty()) given.train = arguments_of_run(given.run);
    find_rate(given.train, given.json, findings);
    return kDone;
  }
  // Before the folder of the run becomes the current one.
  const NamedFiles names =
      given.run.empty() ? named_files(given.train, "")
                        : named_files_of_run(given.run_name, std::filesystem::current_path());
  const TrainingCase found =
      given.run.empty() ? examine_model(given.train, findings) : examine_run(given.run, findings);
  const Diagnosis diagnosis = with_names(diagnose(found, changed), names);
  if (given.repair) return repair({given.run, given.out, diagnosis, changed, given.json}, findings);
  if (given.json)
    print_json(json_of(diagnosis));
  else
    print_text(text_of(diagnosis));
  return kDone;
}

}  // namespace plimsoll::cli
