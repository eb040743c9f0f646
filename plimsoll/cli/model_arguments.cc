#include "plimsoll/cli/model_arguments.h"

#include <fmt/format.h>

#include "plimsoll/cli/parse.h"
#include "plimsoll/cli/wrong_usage.h"
#include "plimsoll/train/files/model_file.h"
#include "plimsoll/train/freeze.h"
#include "plimsoll/train/steps/objective.h"

namespace plimsoll::cli {
namespace {

// Turns an error of `make` into one about the option.
template <class Make>
auto from_option(const char* option, const Make& make) {
  try {
    return make();
  } catch (const InvalidArgument& error) {
    // "loss: 'x' is not known" says already what it is about.
    const std::string what = error.what(), about = what.substr(0, what.find(": "));
    const bool repeats = std::string_view(option).substr(2).starts_with(about);
    throw WrongUsage(option + (": " + what.substr(repeats ? about.size() + 2 : 0)));
  }
}

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

void add_objective(CLI::App& app, ModelArguments& arguments) {
  app.add_option(
         "--loss", arguments.loss,
         "the loss (default: the model's): mse, sparse_categorical_crossentropy, …; one per "
         "output, separated by commas")
      ->option_text("NAME");
  app.add_option("--metrics", arguments.metrics,
                 "the metrics to report (default: the model's), for example accuracy,mae")
      ->option_text("A,B");
}

void add_training(CLI::App& app, ModelArguments& arguments) {
  app.add_option(
         "--optimizer", arguments.optimizer,
         "start with a new optimizer (default: continue with the model's): adam, sgd, rmsprop, …")
      ->option_text("NAME");
  app.add_option("--learning-rate", arguments.learning_rate, "the optimizer's learning rate")
      ->option_text("X")
      ->check(positive());
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
  LoadedModel loaded = load_model(
      arguments.path, {.values_later = true, .optimizer_state = weights != Weights::required});
  tell_notes(loaded, arguments.path, weights, findings);
  values = std::move(loaded.values);
  return loaded.model;
}

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
  if (arguments.learning_rate)
    from_option("--learning-rate",
                [&] { options.optimizer->set_learning_rate(*arguments.learning_rate); });
  for (const std::string& pattern : arguments.frozen)
    from_option("--freeze", [&] { return freeze_layers(model, pattern); });
  model.compile(options);
}

std::vector<std::string> reported_names(const Model& model) {
  std::vector<std::string> outputs;
  for (const Port& port : model.network().outputs()) outputs.push_back(port.name);
  return Objective(model.name(), outputs, model.compile_options()).names();
}

}  // namespace plimsoll::cli
