#include "plimsoll/cli/repair.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "plimsoll/base/error.h"
#include "plimsoll/cli/diagnosis_text.h"
#include "plimsoll/cli/earlier_run.h"
#include "plimsoll/cli/examined_run.h"
#include "plimsoll/cli/find_rate.h"
#include "plimsoll/cli/output.h"
#include "plimsoll/guards/doctor/diagnosis_json.h"
#include "plimsoll/train/runs/run_json.h"

namespace plimsoll::cli {
namespace {

constexpr int kMostTrainings = 4;
constexpr std::string_view kWithout = "train without ";

// The other name of an option, or its opposite.
std::string other_name(const std::string& option) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 5> kPairs = {
      {{"--learning-rate", "--lr"},
       {"--batch-size", "--batch"},
       {"--from-logits", "--no-from-logits"},
       {"--no-from-logits", "--from-logits"},
       {"--normalise", "--normalize"}}};
  for (const auto& [one, other] : kPairs)
    if (option == one) return std::string(other);
  return option;
}

bool is_option(const std::string& text) {
  return text.starts_with("--") || text.starts_with(kWithout);
}

std::vector<std::string> words_of(const std::string& text) {
  std::vector<std::string> words;
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = std::min(text.find(' ', begin), text.size());
    words.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return words;
}

// Takes the option away, with its value if it has one.
void remove(std::vector<std::string>& arguments, const std::string& name) {
  for (size_t i = 0; i < arguments.size();) {
    const bool is_it = arguments[i] == name, is_joined = arguments[i].starts_with(name + "=");
    if (!is_it && !is_joined) {
      ++i;
      continue;
    }
    const bool has_value = is_it && i + 1 < arguments.size() &&
                           !arguments[i + 1].starts_with("--") && !name.starts_with("--no-") &&
                           !name.ends_with("-logits") && !name.starts_with("--normali");
    const auto at = arguments.begin() + static_cast<std::ptrdiff_t>(i);
    arguments.erase(at, at + (has_value ? 2 : 1));
  }
}

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
    if (counts && is_option(it.option) && std::ranges::find(options, it.option) == options.end())
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

// A run that fails again is a result too.
void train_again(TrainArguments arguments) {
  try {
    run_train(std::move(arguments));
  } catch (const NotFinite& error) {
    print_message(error.what());
  }
}

void print(const RepairRequest& request, const std::vector<std::string>& options,
           const Diagnosis& after) {
  if (request.json) {
    print_json({{"run", request.out},
                {"options", options},
                {"before", json_of(request.before)},
                {"after", json_of(after)}});
    return;
  }
  print_text(fmt::format("before: {}\nwith:   {}\nafter:  {}\n", verdict_text(request.before),
                         fmt::join(options, " "), verdict_text(after)));
  for (const DiagnosedCause& it : after.findings)
    if (it.severity != Finding::Severity::note)
      print_text(fmt::format("{} {} ({:.0f}%): {}: {}\n", to_string(it.severity), it.cause,
                             100 * it.confidence, it.remedy, it.option));
}

}  // namespace

std::vector<std::string> with_option(std::vector<std::string> arguments,
                                     const std::string& option) {
  if (option.starts_with(kWithout)) {
    remove(arguments, option.substr(kWithout.size()));
    return arguments;
  }
  const std::vector<std::string> words = words_of(option);
  remove(arguments, words.front());
  remove(arguments, other_name(words.front()));
  arguments.insert(arguments.end(), words.begin(), words.end());
  return arguments;
}

int repair(const RepairRequest& request, Findings& findings) {
  std::vector<std::string> arguments =
      with_option(command_of_run(request.run).arguments, "--out " + request.out);
  arguments_of_run(request.run);  // its folder becomes the current one
  const auto seed = read_run_json(request.run).value("seed", int64_t{0});
  Diagnosis diagnosis = request.before;
  std::vector<std::string> applied;
  for (int i = 0; i < kMostTrainings; ++i) {
    bool is_new = false;
    for (std::string option : options_of(diagnosis, i > 0)) {
      option = tried(option, parsed(arguments), findings);
      if (std::ranges::find(applied, option) != applied.end()) continue;
      arguments = with_option(std::move(arguments), option);
      applied.push_back(option);
      is_new = true;
    }
    if (!is_new) break;
    TrainArguments training = parsed(arguments);
    training.overwrite = i > 0;
    training.is_silent = true;
    training.seed = seed;
    train_again(std::move(training));
    diagnosis = diagnose(examine_run(request.out, findings), request.thresholds);
  }
  if (applied.empty())
    throw InvalidArgument(fmt::format(
        "{}: no finding names an option of train, so there is nothing to apply", request.run));
  print(request, applied, diagnosis);
  return kDone;
}

}  // namespace plimsoll::cli
