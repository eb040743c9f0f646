#include "plimsoll/cli/model_arguments.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "plimsoll/cli/from_option.h"
#include "plimsoll/cli/parse.h"
#include "plimsoll/cli/wrong_usage.h"
#include "plimsoll/nn/losses/changed_loss.h"
#include "plimsoll/train/files/model_file.h"
#include "plimsoll/train/files/not_a_model.h"
#include "plimsoll/train/freeze.h"

namespace plimsoll::cli {
namespace {

PerOutput<Loss> losses_of(const std::string& names) {
  std::vector<Loss> losses;
  for (const std::string& name : split_commas(names))
    losses.push_back(from_option("--loss", [&] { return Loss(name); }));
  if (losses.size() == 1) return PerOutput<Loss>(losses[0]);
  return PerOutput<Loss>(losses);
}

// All of them for every output.
Metrics metrics_of(const std::string& names, size_t outputs) {
  std::vector<OutputMetrics> each(outputs);
  for (OutputMetrics& metrics : each)
    for (const std::string& name : split_commas(names))
      metrics.push_back(from_option("--metrics", [&] { return Metric(name); }));
  return Metrics(each);
}

bool has_loss(const CompileOptions& options) {
  for (const Loss& loss : options.loss.values)
    if (loss.defined()) return true;
  return false;
}

}  // namespace

void add_model(CLI::App& app, ModelArguments& arguments) {
  app.add_option("MODEL", arguments.path,
                 "a Keras model: .keras, .h5, or .json (from model.to_json())")
      ->required();
}

void refuse_swapped(const std::string& model, const std::string& data) {
  if (looks_like_model(data) && !looks_like_model(model))
    throw WrongUsage(fmt::format(
        "MODEL comes first, then DATA: {} looks like the model, and {} does not", data, model));
}

void add_objective(CLI::App& app, ModelArguments& arguments) {
  app.add_option(
         "--loss", arguments.loss,
         "the loss (default: the model's): mse, sparse_categorical_crossentropy, …; one per "
         "output, separated by commas")
      ->option_text("NAME");
  app.add_flag_function(
      "--from-logits,!--no-from-logits",
      [&arguments](int64_t count) { arguments.from_logits = count > 0; },
      "the last layer has no activation, and a crossentropy takes its outputs as logits");
  app.add_option("--metrics", arguments.metrics,
                 "the metrics to report (default: the model's), for example accuracy,mae")
      ->option_text("A,B");
}

namespace {

void add_optimizer_changes(CLI::App& app, OptimizerChanges& changes) {
  app.add_option("--weight-decay", changes.weight_decay,
                 "the share of each weight that a step takes away, times the learning rate")
      ->option_text("X")
      ->check(not_negative());
  std::vector<CLI::Option*> ways = {};
  const auto add_way = [&](const char* flag, std::optional<double>& value, const char* help) {
    auto* way = app.add_option(flag, value, help)->option_text("X");
    for (CLI::Option* other : ways) way->excludes(other);
    ways.push_back(way);
    return way;
  };
  add_way("--clipnorm", changes.clipnorm, "shorten the gradient of each weight to this norm")
      ->check(positive());
  add_way("--clipvalue", changes.clipvalue, "limit each number of a gradient to this")
      ->check(positive());
  add_way("--global-clipnorm", changes.global_clipnorm,
          "shorten all gradients together to this norm")
      ->check(positive());
  add_way("--adaptive-clip", changes.adaptive_clip,
          "shorten the gradient of each unit to this share of the norm of its weights, for "
          "example 0.01")
      ->check(positive());
  add_way("--clip-percentile", changes.clip_percentile,
          "shorten all gradients together to this percentile of the norms of the last 1,024 "
          "updates, for example 10")
      ->check(percentage());
  app.add_option("--accumulate", changes.gradient_accumulation_steps,
                 "change the weights once in N batches, by the mean of their gradients")
      ->option_text("N")
      ->check(count());
}

}  // namespace

void add_training(CLI::App& app, ModelArguments& arguments) {
  app.add_option(
         "--optimizer", arguments.optimizer,
         "start with a new optimizer (default: continue with the model's): adam, sgd, rmsprop, …")
      ->option_text("NAME");
  app.add_option("--learning-rate,--lr", arguments.learning_rate, "the optimizer's learning rate")
      ->option_text("X")
      ->check(positive());
  add_optimizer_changes(app, arguments.changes);
  app.add_option("--label-smoothing", arguments.label_smoothing,
                 "draw the targets of a crossentropy towards the middle by this share")
      ->option_text("F")
      ->check(fraction());
  app.add_option("--freeze", arguments.frozen,
                 "do not train the layers whose names match this pattern, for example 'conv*'; may "
                 "be repeated")
      ->option_text("GLOB")
      ->expected(1)
      ->take_all();
}

namespace {

void tell_notes(const LoadedModel& loaded, const std::string& path, Weights weights,
                Findings& findings) {
  for (const Finding& note : loaded.notes) findings.add(note);
  if (!loaded.has_weights && weights == Weights::required)
    throw InvalidArgument(fmt::format(
        "{0}: holds no weights, so the model has learnt nothing yet; train it, or give it "
        "weights: plimsoll convert trained.weights.h5 model.keras --model {0}",
        path));
  if (!loaded.has_weights && weights == Weights::read)
    findings.add({.severity = Finding::Severity::warning,
                  .where = path,
                  .what = "holds no weights; new ones are drawn"});
}

}  // namespace

Model load(const ModelArguments& arguments, Weights weights, Findings& findings) {
  const LoadedModel loaded = load_model(arguments.path, {.weights = weights != Weights::reserved});
  tell_notes(loaded, arguments.path, weights, findings);
  return loaded.model;
}

Model load(const ModelArguments& arguments, Weights weights, WeightLoad& values,
           Findings& findings) {
  LoadedModel loaded =
      load_model(arguments.path, {.values_later = true,
                                  .initial_values = weights != Weights::replaced,
                                  .optimizer_state = weights != Weights::required});
  tell_notes(loaded, arguments.path, weights, findings);
  values = std::move(loaded.values);
  return loaded.model;
}

namespace {

// Those of the outputs whose loss takes the change; one must.
void change_losses(PerOutput<Loss>& losses, bool (*takes)(const Loss&), const char* option,
                   const std::function<Loss(const Loss&)>& change) {
  const auto is_changed = [&](const Loss& loss) { return loss.defined() && takes(loss); };
  const bool some_take = std::ranges::any_of(losses.values, is_changed);
  for (Loss& loss : losses.values)
    if (is_changed(loss) || (!some_take && loss.defined()))
      loss = from_option(option, [&] { return change(loss); });
}

void change_optimizer(Optimizer& optimizer, const ModelArguments& arguments) {
  OptimizerChanges changes = arguments.changes;
  if (arguments.learning_rate) changes.learning_rate = LearningRate(*arguments.learning_rate);
  if (changes.empty()) return;
  optimizer = from_option("--accumulate", [&] { return changed(optimizer, changes); });
}

}  // namespace

void compile(Model& model, const ModelArguments& arguments) {
  CompileOptions options = model.compiled() ? model.compile_options() : CompileOptions{};
  if (!arguments.optimizer.empty())
    options.optimizer = from_option("--optimizer", [&] { return Optimizer(arguments.optimizer); });
  if (!arguments.loss.empty()) {
    options.loss = losses_of(arguments.loss);
    options.loss_weights = PerOutput<double>();
  }
  if (!arguments.metrics.empty()) {
    options.metrics = metrics_of(arguments.metrics, model.network().outputs().size());
    options.weighted_metrics = {};
  }
  if (!has_loss(options))
    throw WrongUsage(fmt::format(
        "{}: was saved without compile, so it has no loss; name one, for example --loss mse",
        arguments.path));
  if (arguments.label_smoothing)
    change_losses(options.loss, takes_label_smoothing, "--label-smoothing", [&](const Loss& loss) {
      return with_label_smoothing(loss, *arguments.label_smoothing);
    });
  if (arguments.from_logits)
    change_losses(options.loss, takes_from_logits, "--from-logits",
                  [&](const Loss& loss) { return with_from_logits(loss, *arguments.from_logits); });
  change_optimizer(options.optimizer, arguments);
  for (const std::string& pattern : arguments.frozen)
    from_option("--freeze", [&] { return freeze_layers(model, pattern); });
  model.compile(options);
}

}  // namespace plimsoll::cli
