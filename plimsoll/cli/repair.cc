#include "plimsoll/cli/repair.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <exception>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>

#include "plimsoll/base/error.h"
#include "plimsoll/cli/changed_command.h"
#include "plimsoll/cli/diagnosis_text.h"
#include "plimsoll/cli/earlier_run.h"
#include "plimsoll/cli/examined_run.h"
#include "plimsoll/cli/find_rate.h"
#include "plimsoll/cli/named_files.h"
#include "plimsoll/cli/output.h"
#include "plimsoll/guards/doctor/diagnosis_json.h"
#include "plimsoll/train/runs/run_json.h"

namespace plimsoll::cli {
namespace {

constexpr int kMostTrainings = 4;

// A rate that was tried is better than a usual one.
std::string tried(const std::string& option, const TrainArguments& arguments, Findings& findings) {
  if (!option.starts_with("--learning-rate ")) return option;
  const FoundLearningRate found = found_rate(arguments, findings);
  return found.rate ? fmt::format("--learning-rate {:.2g}", *found.rate) : option;
}

// A repaired run whose loss still falls is trained for longer, even if that is only a note.
std::vector<std::string> options_of(const Diagnosis& diagnosis, bool is_repaired) {
  std::vector<std::string> options;
  for (const DiagnosedCause& it : diagnosis.findings) {
    const bool counts =
        it.severity != Finding::Severity::note || (is_repaired && it.cause == "too_few_epochs");
    if (counts && is_option_of_train(it.option) &&
        std::ranges::find(options, it.option) == options.end())
      options.push_back(it.option);
  }
  // The rate is found for the training that the others make.
  std::ranges::stable_partition(
      options, [](const std::string& it) { return !it.starts_with("--learning-rate "); });
  return options;
}

TrainArguments parsed(const std::vector<std::string>& arguments) {
  std::vector<const char*> texts;
  for (const std::string& argument : arguments) texts.push_back(argument.c_str());
  TrainArguments into;
  if (!read(Arguments(texts), into)) throw InvalidArgument("doctor: the run has no command");
  return into;
}

// A training that was refused before it began, so that the folder has what it had before.
struct RefusedTraining {
  std::vector<std::string> options;  // that it was to have beside those that are applied
  std::exception_ptr error;
  std::string why;
};

// The trainings of a repair, one after the other, all into one folder.
class Repair {
 public:
  Repair(const RepairRequest& request, Findings& findings)
      : request_(request),
        reader_(std::filesystem::current_path()),
        findings_(findings),
        arguments_(with_option(command_of_run(request.run).arguments, {"--out", request.out})),
        seed_(read_run_json(request.run).value("seed", int64_t{0})),
        last_(request.before) {
    std::error_code error;
    if (std::filesystem::exists(request.out + "/run.json", error))
      throw InvalidArgument(request.out + ": exists already; name another folder for the new run");
    arguments_of_run(request.run);  // its folder becomes the current one
  }

  int run() {
    for (int i = 0; i < kMostTrainings && code_ == kDone && !refusal_; ++i)
      if (!train(i > 0)) break;
    if (applied_.empty() && !refusal_)
      throw InvalidArgument(fmt::format(
          "{}: no finding names an option of train, so there is nothing to apply", request_.run));
    request_.json ? print_as_json() : print_as_text();
    if (applied_.empty()) std::rethrow_exception(refusal_->error);
    return code_;
  }

 private:
  // Applies what the last diagnosis names, and trains; false if that is nothing new.
  bool train(bool is_repaired) {
    std::vector<std::string> options;
    std::vector<std::string> arguments = arguments_;
    try {
      for (const std::string& named : options_of(last_, is_repaired)) {
        std::string& option = options.emplace_back(named);
        option = tried(named, parsed(arguments), findings_);
        if (std::ranges::find(applied_, option) == applied_.end())
          arguments = with_advice(arguments, option);
        else
          options.pop_back();
      }
      if (options.empty()) return false;
      train_with(arguments, is_repaired);
    } catch (const Stopped&) {
      throw;
    } catch (const Error& error) {
      // A run that fails again is a result too.
      if (!is_run_with(arguments)) {
        refusal_ = {std::move(options), std::current_exception(), error.what()};
        return false;
      }
      print_message(error.what());
    }
    arguments_ = std::move(arguments);
    applied_.insert(applied_.end(), options.begin(), options.end());
    last_ = with_names(diagnose(examine_run(request_.out, findings_), request_.thresholds),
                       named_files_of_run(request_.out, reader_));
    return true;
  }

  void train_with(const std::vector<std::string>& arguments, bool is_repaired) {
    TrainArguments training = parsed(arguments);
    training.overwrite = is_repaired;
    training.is_silent = true;
    training.seed = seed_;
    const int code = run_train(std::move(training));
    if (code > kSignal) code_ = code;
  }

  // Whether the folder has a run of this command.
  bool is_run_with(const std::vector<std::string>& arguments) const {
    std::error_code error;
    return std::filesystem::exists(request_.out + "/run.json", error) &&
           command_of_run(request_.out).arguments == arguments;
  }

  void print_as_json() const {
    nlohmann::ordered_json json = {{"run", nullptr},
                                   {"options", applied_},
                                   {"before", json_of(request_.before)},
                                   {"after", nullptr}};
    if (!applied_.empty()) {
      json["run"] = request_.out;
      json["after"] = json_of(last_);
    }
    if (refusal_) json["refused"] = {{"options", refusal_->options}, {"why", refusal_->why}};
    print_json(json);
  }

  void print_as_text() const {
    print_text(fmt::format("before: {}\n", verdict_text(request_.before)));
    if (!applied_.empty()) print_text(fmt::format("with:   {}\n", fmt::join(applied_, " ")));
    if (refusal_)
      print_text(
          fmt::format("refused: {}: {}\n", fmt::join(refusal_->options, " "), refusal_->why));
    if (applied_.empty()) return;
    print_text(fmt::format("after:  {}\n", verdict_text(last_)));
    for (const DiagnosedCause& it : last_.findings)
      if (it.severity != Finding::Severity::note)
        print_text(fmt::format("{} {} ({:.0f}%): {}\n", to_string(it.severity), it.cause,
                               100 * it.confidence, advice_of(it)));
  }

  const RepairRequest& request_;
  std::filesystem::path reader_;  // the folder in which the command was given
  Findings& findings_;
  std::vector<std::string> arguments_;  // of the last training
  const int64_t seed_;
  Diagnosis last_;
  std::vector<std::string> applied_;
  std::optional<RefusedTraining> refusal_;
  int code_ = kDone;
};

}  // namespace

int repair(const RepairRequest& request, Findings& findings) {
  return Repair(request, findings).run();
}

}  // namespace plimsoll::cli
