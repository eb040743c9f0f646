#include "plimsoll/cli/learning_arguments.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "plimsoll/base/nearest_name.h"
#include "plimsoll/cli/from_option.h"
#include "plimsoll/cli/parse.h"
#include "plimsoll/cli/wrong_usage.h"
#include "plimsoll/formats/bytes/read_text.h"
#include "plimsoll/nn/optimizers/changed_optimizer.h"
#include "plimsoll/nn/optimizers/schedule_text.h"
#include "plimsoll/train/callbacks/monitor.h"
#include "plimsoll/train/callbacks/reduce_lr_on_plateau.h"
#include "plimsoll/train/data/class_weight.h"
#include "plimsoll/train/data/model_fields.h"
#include "plimsoll/train/reported_names.h"

namespace plimsoll::cli {
namespace {

constexpr int64_t kPatience = 5;  // epochs

int64_t steps_per_epoch(const Dataset& data, const FitOptions& options) {
  const int64_t batch = options.batch_size.value_or(32);
  return (data.source->size() + batch - 1) / batch;
}

// A loss that falls, which every run has.
std::string usual_metric(const FitOptions& options) {
  return options.validation_data.source != nullptr ? "val_loss" : "loss";
}

std::string metric_of(const LearningArguments& arguments, const Model& model,
                      const FitOptions& options) {
  if (arguments.early_stopping == kUsualMetric) return usual_metric(options);
  const std::vector<std::string> names =
      reported_names(model, options.validation_data.source != nullptr);
  if (std::ranges::find(names, arguments.early_stopping) != names.end())
    return arguments.early_stopping;
  throw WrongUsage(fmt::format(
      "--early-stopping: this run does not report '{}'{}; it reports {}", arguments.early_stopping,
      did_you_mean(arguments.early_stopping, names), fmt::join(names, ", ")));
}

void refuse_idle_accumulation(const Model& model, int64_t steps) {
  const auto period = model.optimizer()->settings().gradient_accumulation_steps;
  if (period && *period > steps)
    throw WrongUsage(fmt::format(
        "--accumulate {}: the run has only {} step(s), so no weight would change", *period, steps));
}

// A run that goes on where a schedule has ended learns nothing.
void warn_of_ended_schedule(const Model& model, Findings& findings) {
  const OptimizerBody& optimizer = *model.optimizer();
  if (optimizer.steps_taken() == 0 || optimizer.current_learning_rate() > 0) return;
  findings.add({.severity = Finding::Severity::warning,
                .where = optimizer.name(),
                .what = fmt::format("its learning rate is 0 after {} steps, so that nothing is "
                                    "learnt from here on",
                                    optimizer.steps_taken()),
                .remedy = "give one with --lr"});
}

// Keras refuses a model whose optimizer has settings that it does not know.
void note_unsaved_clipping(const Model& model, Findings& findings) {
  const OptimizerSettings& settings = model.optimizer()->settings();
  if (!settings.adaptive_clip && !settings.clip_percentile) return;
  const char* option = settings.adaptive_clip ? "--adaptive-clip" : "--clip-percentile";
  findings.add({.severity = Finding::Severity::note,
                .where = model.optimizer()->name(),
                .what = fmt::format(
                    "{} is not saved with the model, because Keras does not know it", option),
                .remedy = fmt::format("give {} again to train the saved model further", option)});
}

void set_schedule(const ScheduleText& text, Model& model, int64_t steps, int64_t epochs) {
  CompileOptions compiled = model.compile_options();
  const LearningRate& rate = compiled.optimizer->settings().learning_rate;
  if (rate.is_schedule())
    throw WrongUsage(
        "--schedule: the model has a schedule already; give the rate to begin with, "
        "for example --lr 0.001");
  if (const int64_t taken = compiled.optimizer->steps_taken(); taken > 0)
    throw WrongUsage(fmt::format(
        "--schedule: counts the steps of the optimizer from its first one, and this one has taken "
        "{} already; begin with a new one, for example --optimizer {}",
        taken, compiled.optimizer->class_name()));
  const Schedule schedule =
      schedule_for(text, {.learning_rate = compiled.optimizer->current_learning_rate(),
                          .steps_per_epoch = steps,
                          .epochs = epochs});
  compiled.optimizer = changed(compiled.optimizer, {.learning_rate = LearningRate(schedule)});
  model.compile(compiled);
}

Callbacks schedule_callbacks(const LearningArguments& arguments, Model& model, const Dataset& data,
                             const FitOptions& options) {
  if (arguments.schedule.empty()) return {};
  return from_option("--schedule", [&]() -> Callbacks {
    const ScheduleText text = parse_schedule(arguments.schedule);
    if (text.kind != "plateau") {
      set_schedule(text, model, steps_per_epoch(data, options), options.epochs);
      return {};
    }
    if (model.optimizer()->settings().learning_rate.is_schedule())
      throw WrongUsage("--schedule: plateau needs a rate that is a number; give one with --lr");
    return {ReduceLROnPlateau({.monitor = usual_metric(options),
                               .factor = text["factor"],
                               .patience = static_cast<int64_t>(text["patience"])})};
  });
}

// Of the model's only output; 0 if its targets are not classes.
int64_t classes_of(const Model& model) {
  const std::vector<Loss> losses = losses_of(model);
  const Ports& outputs = model.network().outputs();
  if (losses.size() != 1 || !losses[0].defined() || !losses[0].targets().are_classes()) return 0;
  const Shape& shape = outputs[0].spec.shape;
  return shape.rank() == 0 ? 0 : shape[shape.rank() - 1];
}

ClassWeight weights_of(const LearningArguments& arguments, const Model& model, const Dataset& data,
                       const std::vector<std::string>& class_names) {
  const std::string& given = arguments.class_weight;
  if (given.empty()) return {};
  const auto inputs = static_cast<int>(model.network().inputs().size());
  if (given == "balanced") return balanced_class_weight(data, inputs);
  constexpr int64_t kMaxBytes = 16 << 20;
  ClassWeight weights =
      class_weight_from_json(read_text(given, kMaxBytes, "weights of classes"), class_names, given);
  const int64_t classes = classes_of(model);
  if (const int64_t last = weights.rbegin()->first; classes > 0 && last >= classes)
    throw InvalidArgument(
        fmt::format("{}: there is no class {}; the model has {} classes", given, last, classes));
  return weights;
}

}  // namespace

void add_learning(CLI::App& app, LearningArguments& arguments) {
  app.add_option("--schedule", arguments.schedule,
                 "how the learning rate changes over the run: " + schedule_kinds())
      ->option_text("KIND");
  auto* stopping =
      app.add_option("--early-stopping", arguments.early_stopping,
                     "stop when METRIC gets no better, and keep the weights of its best epoch "
                     "(default: val_loss with validation, else loss); name it after MODEL and DATA")
          ->option_text("[METRIC]")
          ->expected(0, 1)
          ->default_str(kUsualMetric);
  app.add_option("--patience", arguments.patience,
                 "epochs without improvement before it stops (default: 5)")
      ->option_text("N")
      ->check(count())
      ->needs(stopping);
  app.add_option("--min-delta", arguments.min_delta,
                 "the least change that counts as an improvement (default: 0)")
      ->option_text("X")
      ->check(not_negative())
      ->needs(stopping);
  app.add_option("--mode", arguments.mode,
                 "whether METRIC of --early-stopping or --save-best is best when it is least or "
                 "greatest; needed for the few metrics whose name does not say it")
      ->option_text("min|max")
      ->check(CLI::IsMember({"min", "max"}));
  app.add_option("--class-weight", arguments.class_weight,
                 "how much the records of a class count: balanced (rare classes count more, so "
                 "that all classes count alike), or a JSON file such as {\"cat\": 2, \"dog\": 0.5}")
      ->option_text("balanced|FILE");
}

std::string mode_of(const LearningArguments& arguments, const char* flag, const std::string& metric,
                    const Model& model) {
  if (!arguments.mode.empty()) return arguments.mode;
  if (is_direction_known(metric, model)) return "auto";
  throw WrongUsage(
      fmt::format("{}: whether '{}' should rise or fall is not known; say it with --mode max or "
                  "--mode min",
                  flag, metric));
}

std::shared_ptr<EarlyStopping> set_up_learning(const LearningArguments& arguments, Model& model,
                                               const Dataset& data,
                                               const std::vector<std::string>& class_names,
                                               FitOptions& options, Findings& findings) {
  for (const AnyCallback& callback : schedule_callbacks(arguments, model, data, options))
    options.callbacks.push_back(callback);
  refuse_idle_accumulation(model, steps_per_epoch(data, options) * options.epochs);
  warn_of_ended_schedule(model, findings);
  note_unsaved_clipping(model, findings);
  options.class_weight = weights_of(arguments, model, data, class_names);
  if (arguments.early_stopping.empty()) return nullptr;
  const std::string metric = metric_of(arguments, model, options);
  auto stopping = std::make_shared<EarlyStopping>(
      EarlyStoppingOptions{.monitor = metric,
                           .min_delta = arguments.min_delta,
                           .patience = arguments.patience.value_or(kPatience),
                           .mode = arguments.early_stopping == kUsualMetric
                                       ? "auto"
                                       : mode_of(arguments, "--early-stopping", metric, model),
                           .restore_best_weights = true});
  options.callbacks.emplace_back(stopping);
  return stopping;
}

std::string to_string(const EarlyStopping& stopping, bool is_restored) {
  return fmt::format("{}{} was best in epoch {} ({:.4g}){}",
                     stopping.stopped_epoch() > 0 ? "stopped early: " : "", stopping.monitor(),
                     stopping.best_epoch() + 1, *stopping.best(),
                     is_restored ? ", whose weights are kept" : "");
}

}  // namespace plimsoll::cli
