#include "plimsoll/train/checkpoints/run_identity.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <utility>

#include "plimsoll/base/error.h"
#include "plimsoll/base/report_finding.h"
#include "plimsoll/base/xxh3.h"
#include "plimsoll/nn/clock.h"
#include "plimsoll/nn/keras/network_config.h"
#include "plimsoll/nn/optimizers/optimizer_list.h"
#include "plimsoll/train/files/compile_config.h"

namespace plimsoll {
namespace {

// Values that long are shown as changed, not as what they are.
constexpr size_t kShownValue = 80;

// Calls visit(key, text) for every text in it.
template <class Visit>
void visit_texts(Json& json, const std::string& key, const Visit& visit) {
  if (json.is_string()) visit(key, json);
  if (json.is_object())
    for (auto& [name, value] : json.items()) visit_texts(value, name, visit);
  if (json.is_array())
    for (Json& value : json) visit_texts(value, key, visit);
}

// Names become numbers, in their order: those that are given automatically count the layers of the
// process, so that the same model has other names the second time.
std::string without_names(Json config) {
  std::map<std::string, std::string> numbers;
  visit_texts(config, "", [&](const std::string& key, Json& text) {
    if (key == "name")
      numbers.try_emplace(text.get<std::string>(), fmt::format("#{}", numbers.size()));
  });
  visit_texts(config, "", [&](const std::string&, Json& text) {
    const auto number = numbers.find(text.get<std::string>());
    if (number != numbers.end()) text = number->second;
  });
  return config.dump();
}

// What JSON cannot hold (a class or a function of the program) is known by its weights alone.
std::string layers_of(const Model& model) {
  try {
    return without_names(network_to_json(model.network()));
  } catch (const InvalidArgument&) {
    return "";
  }
}

// Without its learning rate, which is apart, so that a person sees what it was.
Json describe_optimizer(RunIdentity& identity, const Optimizer& optimizer) {
  Json config = config_of(optimizer);
  const Json& rate = config["config"]["learning_rate"];
  identity["learning_rate"] =
      rate.is_number() ? fmt::format("{:g}", rate.get<double>()) : rate.dump();
  config["config"].erase("learning_rate");
  return config;
}

void describe_settings(RunIdentity& identity, const Model& model) {
  Json config = {{"optimizer", model.optimizer()->class_name()}};
  try {
    config["optimizer"] = describe_optimizer(identity, model.optimizer());
    Json all = compile_config(model.compile_options());
    all["optimizer"] = config["optimizer"];
    config = std::move(all);
  } catch (const InvalidArgument&) {
    // A loss or a metric that is a function of the program has no config.
  }
  std::string settings = without_names(config);
  const OptimizerSettings& own = model.optimizer()->settings();
  if (own.adaptive_clip) settings += fmt::format(" adaptive_clip {}", *own.adaptive_clip);
  if (own.clip_percentile) settings += fmt::format(" clip_percentile {}", *own.clip_percentile);
  identity["the optimizer, losses and metrics"] = xxh3_of(settings);
}

std::string weights_of(const Model& model) {
  std::string text;
  for (const Variable& weight : model.weights()) text += weight.spec().to_string() + "\n";
  return text;
}

}  // namespace

void describe_model(RunIdentity& identity, const Model& model) {
  identity["the model's layers"] = xxh3_of(layers_of(model));
  identity["the model's weights"] = xxh3_of(weights_of(model));
  describe_settings(identity, model);
}

namespace {

// By the names of the command, which has said these already. What is as it is by default is not
// named.
void describe_reading(RunIdentity& identity, const FitOptions& options) {
  const ReadingOptions& reading = options.reading;
  if (reading.bad.then != OnBadRecord::fail) {
    identity.try_emplace("on_bad_record", "skip");
    identity.try_emplace("max_bad", fmt::format("{}", reading.bad.most));
  }
  if (reading.repair)
    identity.try_emplace("repair_with", *reading.repair == RepairWith::mean ? "mean" : "median");
  if (reading.allow_not_finite) identity.try_emplace("allow_nan", "true");
  if (options.saving.micro_batch)
    identity.try_emplace("micro_batch", fmt::format("{}", *options.saving.micro_batch));
  if (options.saving.batch_statistics_per_part)
    identity.try_emplace("batch_statistics_per_part", "true");
}

}  // namespace

void describe_options(RunIdentity& identity, const FitOptions& options) {
  const auto number = [](const std::optional<int64_t>& value) {
    return value ? fmt::format("{}", *value) : std::string();
  };
  identity["batch_size"] = number(options.batch_size);
  identity["steps_per_epoch"] = number(options.steps_per_epoch);
  identity["validation_batch_size"] = number(options.validation_batch_size);
  identity["validation_steps"] = number(options.validation_steps);
  // A program that splits the data itself has said how.
  identity.try_emplace("validation_split", fmt::format("{}", options.validation_split));
  identity["validation_freq"] = fmt::format("{}{}", options.validation_freq.every,
                                            fmt::join(options.validation_freq.epochs, ","));
  identity["shuffle"] = options.shuffle ? "true" : "false";
  constexpr std::array kOnBadStep = {"stop", "skip", "rollback", "repair"};
  identity["on_bad_step"] = kOnBadStep.at(static_cast<size_t>(options.on_bad_step));
  identity["initial_epoch"] = fmt::format("{}", options.initial_epoch);
  identity["seed"] = fmt::format("{}", random_seed());
  std::string weights;
  for (const auto& [label, weight] : options.class_weight)
    weights += fmt::format(" {}:{}", label, weight);
  identity["class_weight"] = weights;
  describe_reading(identity, options);
}

void report_changes(const std::string& run, const std::vector<std::string>& changes,
                    bool are_allowed) {
  if (changes.empty()) return;
  constexpr size_t kShown = 8;
  std::string text = fmt::format(
      "{}",
      fmt::join(changes.begin(),
                changes.begin() + static_cast<int64_t>(std::min(kShown, changes.size())), ", "));
  if (changes.size() > kShown) text += fmt::format(", and {} more", changes.size() - kShown);
  if (!are_allowed)
    throw InvalidArgument(fmt::format(
        "{}: the run cannot go on, because it is not the same any more: {}; run it as it was, name "
        "another folder, or allow the change (--allow-changed)",
        run, text));
  report({.severity = Finding::Severity::warning,
          .where = run,
          .what = "the run goes on as another than it was: " + text});
}

void save_identity(StateWriter& to, const RunIdentity& identity) {
  std::vector<std::string> names, values;
  for (const auto& [name, value] : identity) {
    names.push_back(name);
    values.push_back(value);
  }
  to.texts("names", names);
  to.texts("values", values);
}

namespace {

RunIdentity load_identity(const StateReader& from) {
  const std::vector<std::string> names = from.texts("names"), values = from.texts("values");
  if (names.size() != values.size())
    throw CorruptFile(from.path() + ": the settings of its run are damaged");
  RunIdentity identity;
  for (size_t i = 0; i < names.size(); ++i) identity[names[i]] = values[i];
  return identity;
}

bool is_hash(const std::string& value) {
  constexpr size_t kDigits = 32;
  return value.size() == kDigits && value.find_first_not_of("0123456789abcdef") == value.npos;
}

// A hash says nothing to a person.
std::string change(const std::string& name, const std::string& was, const std::string& is) {
  if (is_hash(was) || was.size() > kShownValue || is.size() > kShownValue) return name + " changed";
  return fmt::format("{} was {} and is {}", name, was.empty() ? "not given" : was,
                     is.empty() ? "not given" : is);
}

// Records that are called otherwise have changed their number or names, which is a change already.
bool is_told_otherwise(const std::string& was, const std::string& is) {
  return (was.empty() && is_hash(is)) || (is.empty() && is_hash(was));
}

// What a person has given is first, then the model and the data.
bool is_setting(const std::string& name) {
  return !name.starts_with("the ");
}

}  // namespace

std::vector<std::string> changes_since(const StateReader& from, const RunIdentity& identity) {
  const RunIdentity before = load_identity(from);
  std::map<std::string, std::pair<std::string, std::string>> both;
  for (const auto& [name, was] : before) both[name].first = was;
  for (const auto& [name, is] : identity) both[name].second = is;
  std::vector<std::string> changes, of_settings;
  for (const auto& [name, values] : both) {
    const auto& [was, is] = values;
    if (was == is || is_told_otherwise(was, is)) continue;
    (is_setting(name) ? of_settings : changes).push_back(change(name, was, is));
  }
  changes.insert(changes.begin(), of_settings.begin(), of_settings.end());
  return changes;
}

}  // namespace plimsoll
