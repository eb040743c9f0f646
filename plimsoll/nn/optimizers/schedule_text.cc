#include "plimsoll/nn/optimizers/schedule_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>
#include <span>

#include "plimsoll/base/error.h"
#include "plimsoll/base/nearest_name.h"
#include "plimsoll/nn/optimizers/cosine_decay.h"
#include "plimsoll/nn/optimizers/decay.h"

namespace plimsoll {
namespace {

// A number that a kind takes.
struct ScheduleNumber {
  const char* key;
  std::optional<double> value;  // the default; none: it must be given
  double least;                 // above this; 0 itself where 0 is the default
  double most = INFINITY;       // below this
};

struct ScheduleForm {
  const char* name;
  std::vector<ScheduleNumber> settings;
  const char* help;
};

const std::vector<ScheduleForm>& kinds() {
  static const std::vector<ScheduleForm> all = {
      {"cosine", {{"warmup", 0, 0}, {"end", 0, 0}}, "cosine[,warmup=EPOCHS]"},
      {"polynomial", {{"end", 0, 0}, {"power", 1, 0}}, "polynomial[,end=RATE,power=X]"},
      {"exponential", {{"factor", 0.9, 0, 1}, {"every", 1, 0}}, "exponential[,factor=X]"},
      {"step", {{"every", {}, 0}, {"factor", 0.1, 0, 1}}, "step,every=EPOCHS[,factor=X]"},
      {"piecewise", {{"at", {}, 0}, {"factor", 0.1, 0, 1}}, "piecewise,at=EPOCH:EPOCH[,factor=X]"},
      {"plateau",
       {{"patience", 2, 0}, {"factor", 0.1, 0, 1}},
       "plateau[,patience=EPOCHS,factor=X]"},
  };
  return all;
}

[[noreturn]] void refuse(const std::string& why) {
  throw InvalidArgument("schedule: " + why);
}

std::vector<std::string> parts_of(const std::string& text, char separator) {
  std::vector<std::string> parts;
  for (size_t begin = 0; begin <= text.size();) {
    const size_t end = std::min(text.find(separator, begin), text.size());
    parts.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return parts;
}

double number_of(const ScheduleNumber& setting, const std::string& text) {
  double value = 0;
  const char* end = text.data() + text.size();
  const auto parsed = std::from_chars(text.data(), end, value);
  const bool is_read = parsed.ec == std::errc() && parsed.ptr == end && std::isfinite(value);
  const bool is_default = is_read && setting.value == value;
  if (is_read && (is_default || (value > setting.least && value < setting.most))) return value;
  refuse(fmt::format("{} expects a number above {}{}, found '{}'", setting.key, setting.least,
                     std::isfinite(setting.most) ? fmt::format(" and below {}", setting.most) : "",
                     text));
}

void take(ScheduleText& into, const ScheduleNumber& setting, const std::string& text) {
  if (std::string_view(setting.key) != "at") {
    into.numbers[setting.key] = number_of(setting, text);
    return;
  }
  into.numbers["at"] = 0;
  for (const std::string& epoch : parts_of(text, ':'))
    into.epochs.push_back(number_of(setting, epoch));
  if (!std::ranges::is_sorted(into.epochs, std::less_equal()))
    refuse("at expects epochs that grow, as in at=5:8, found '" + text + "'");
}

const ScheduleForm& kind_named(const std::string& name) {
  const auto found = std::ranges::find(kinds(), name, &ScheduleForm::name);
  if (found != kinds().end()) return *found;
  std::vector<std::string> known;
  for (const ScheduleForm& kind : kinds()) known.emplace_back(kind.name);
  throw InvalidArgument(not_known("schedule:", name, known));
}

const ScheduleNumber& setting_named(const ScheduleForm& kind, const std::string& key) {
  const auto is_it = [&](const ScheduleNumber& setting) { return key == setting.key; };
  const auto found = std::ranges::find_if(kind.settings, is_it);
  if (found != kind.settings.end()) return *found;
  std::vector<std::string> known;
  for (const ScheduleNumber& setting : kind.settings) known.emplace_back(setting.key);
  throw InvalidArgument(not_known(fmt::format("schedule: {}:", kind.name), key, known));
}

double total_steps(const ScheduledRun& run) {
  return static_cast<double>(run.steps_per_epoch) * static_cast<double>(run.epochs);
}

Schedule cosine(const ScheduleText& text, const ScheduledRun& run) {
  const double warmup = std::round(text["warmup"] * static_cast<double>(run.steps_per_epoch));
  if (warmup >= total_steps(run))
    refuse(fmt::format("warmup takes {} epochs, and the run has no more than {}", text["warmup"],
                       run.epochs));
  const double alpha = text["end"] / run.learning_rate;
  if (warmup == 0)
    return CosineDecay({.initial_learning_rate = run.learning_rate,
                        .decay_steps = total_steps(run),
                        .alpha = alpha});
  return CosineDecay({.initial_learning_rate = 0,
                      .decay_steps = total_steps(run) - warmup,
                      .alpha = alpha,
                      .warmup_target = run.learning_rate,
                      .warmup_steps = warmup});
}

Schedule polynomial(const ScheduleText& text, const ScheduledRun& run) {
  return PolynomialDecay({.initial_learning_rate = run.learning_rate,
                          .decay_steps = total_steps(run),
                          .end_learning_rate = text["end"],
                          .power = text["power"]});
}

Schedule exponential(const ScheduleText& text, const ScheduledRun& run) {
  return ExponentialDecay({.initial_learning_rate = run.learning_rate,
                           .decay_steps = text["every"] * static_cast<double>(run.steps_per_epoch),
                           .decay_rate = text["factor"],
                           .staircase = text.kind == "step"});
}

// The rate changes after the last step of an epoch, which has the number before the boundary.
Schedule piecewise(const ScheduleText& text, const ScheduledRun& run) {
  PiecewiseConstantDecayOptions options{.values = {run.learning_rate}};
  for (const double epoch : text.epochs) {
    options.boundaries.push_back(std::round(epoch * static_cast<double>(run.steps_per_epoch)) - 1);
    options.values.push_back(options.values.back() * text["factor"]);
  }
  return PiecewiseConstantDecay(options);
}

void refuse_idle(const char* key, double epoch, const ScheduledRun& run) {
  if (epoch >= static_cast<double>(run.epochs))
    refuse(fmt::format("{}={} changes nothing in a run of {} epoch(s)", key, epoch, run.epochs));
}

}  // namespace

ScheduleText parse_schedule(const std::string& text) {
  const std::vector<std::string> words = parts_of(text, ',');
  const ScheduleForm& kind = kind_named(words[0]);
  ScheduleText result{.kind = kind.name};
  for (const std::string& word : std::span(words).subspan(1)) {
    const size_t equals = word.find('=');
    const ScheduleNumber& setting = setting_named(kind, word.substr(0, equals));
    if (equals == word.npos)
      refuse(fmt::format("{0}: {1} expects a number, as in {1}=2", kind.name, setting.key));
    if (result.numbers.contains(setting.key))
      refuse(fmt::format("{}: {} is given twice", kind.name, setting.key));
    take(result, setting, word.substr(equals + 1));
  }
  for (const ScheduleNumber& setting : kind.settings) {
    if (result.numbers.contains(setting.key)) continue;
    if (!setting.value)
      refuse(fmt::format("{0} needs {1}, as in {0},{1}=10", kind.name, setting.key));
    result.numbers[setting.key] = *setting.value;
  }
  return result;
}

std::string schedule_kinds() {
  std::vector<const char*> forms;
  for (const ScheduleForm& kind : kinds()) forms.push_back(kind.help);
  return fmt::format("{}", fmt::join(forms, "; "));
}

Schedule schedule_for(const ScheduleText& text, const ScheduledRun& run) {
  const double end = text.numbers.contains("end") ? text["end"] : 0;
  if (end >= run.learning_rate)
    refuse(fmt::format("end={} is not below the learning rate, {}", end, run.learning_rate));
  if (text.kind == "cosine") return cosine(text, run);
  if (text.kind == "polynomial") return polynomial(text, run);
  if (text.kind == "step") refuse_idle("every", text["every"], run);
  if (text.kind == "piecewise") {
    refuse_idle("at", text.epochs.back(), run);
    return piecewise(text, run);
  }
  if (text.kind != "plateau") return exponential(text, run);
  refuse("plateau is a callback, ReduceLROnPlateau");
}

}  // namespace plimsoll
