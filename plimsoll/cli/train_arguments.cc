#include "plimsoll/cli/train_arguments.h"

#include <fmt/format.h>

#include <filesystem>

#include "plimsoll/cli/augment_arguments.h"
#include "plimsoll/cli/parse.h"
#include "plimsoll/cli/wrong_usage.h"

namespace plimsoll::cli {
namespace {

constexpr const char* kTrainHelp =
    "Examples: a model and data that Keras and NumPy saved\n\n"
    "  plimsoll train model.keras data.npz --out run --epochs 10 --validation-split 0.1\n\n"
    "the price of houses from a table, in at most 512 MiB\n\n"
    "  plimsoll train model.keras houses.csv --target price --out run --memory 512MiB\n\n"
    "photos in one folder per class, training only the layers that are not called conv...\n\n"
    "  plimsoll train model.keras photos --out run --freeze 'conv*'\n\n"
    "The folder RUN then holds model.keras, which Keras can load and train further; best.keras, "
    "the\n"
    "model of the best epoch; run.json, the options, the plan and the result; log.jsonl, one line\n"
    "per event; classes.json, the names of the classes; and quarantine.jsonl, the records that "
    "were\n"
    "left out. Ctrl-C ends the run after the current batch and saves the model. The same command\n"
    "again, or 'plimsoll resume RUN', goes on with a run that was stopped or killed.\n";

void add_loop(CLI::App& app, TrainArguments& into) {
  app.add_option("--epochs", into.epochs, "passes over the data (default: 1)")
      ->option_text("N")
      ->check(count());
  app.add_option("--batch-size,--batch", into.batch_size, "samples per batch (default: 32)")
      ->option_text("N")
      ->check(count());
  add_saving(app, into.saving,
             "the most memory that the run may take; a run that needs more is changed to fit, or "
             "refused before its first step (default: what this machine has left)");
  auto* data =
      app.add_option("--validation", into.validation,
                     "data to measure the model on after each epoch; the same kinds as DATA")
          ->option_text("DATA");
  auto* part =
      app.add_option(
             "--validation-split", into.validation_split,
             "measure on the last part of DATA instead, for example 0.1; images are shuffled first")
          ->option_text("F")
          ->check(fraction())
          ->excludes(data);
  app.add_option("--split-by", into.split_by,
                 "order takes the last records (default); hash chooses records by name, so that a "
                 "record stays in its part when others are added")
      ->option_text("order|hash")
      ->check(CLI::IsMember({"order", "hash"}))
      ->needs(part);
  app.add_option("--seed", into.seed, "the seed of all random numbers (default: 0)")
      ->option_text("N")
      ->check(integer());
  app.add_option("--on-bad-step", into.on_bad_step,
                 "what to do if a loss or gradient is not finite: stop; skip the step and leave "
                 "out the records that cause it; go back to the last checkpoint with half the "
                 "learning rate; or repair, whichever of the two helps (default: stop)")
      ->option_text("stop|skip|rollback|repair")
      ->check(CLI::IsMember({"stop", "skip", "rollback", "repair"}));
  app.add_flag("--no-shuffle", into.no_shuffle, "read the samples in the order of the data");
  app.add_flag("--no-statistics", into.no_statistics,
               "do not sample steps: log.jsonl gets no statistics of layers and weights");
  app.add_option("--profile", into.profiled_steps,
                 "measure N steps, operation by operation: profile.json, and trace.json for "
                 "ui.perfetto.dev, in RUN")
      ->option_text("N")
      ->check(count());
  app.add_flag("--no-doctor", into.no_doctor,
               "do not look for what spoils the run while it goes on ('plimsoll doctor RUN' still "
               "does)");
  app.add_flag("--normalise,--normalize", into.normalise,
               "put a Normalization before each input that weights meet, with the mean and the "
               "variance of the training data; it is saved with the model");
  app.add_option("--threads", into.threads, "threads that compute (default: one per core)")
      ->option_text("N")
      ->check(count());
}

// A name, so that MODEL after the option is not taken for one.
CLI::Validator metric_name() {
  return CLI::Validator(
      [](std::string& text) {
        const bool is_name = text.find_first_of("./") == text.npos;
        return is_name ? std::string()
                       : fmt::format("expects the name of a metric, found '{}'", text);
      },
      "");
}

void add_best(CLI::App& app, TrainArguments& into) {
  auto* best = app.add_option("--save-best", into.save_best,
                              "keep the model of the epoch with the best METRIC in best.keras "
                              "(default with validation data: val_loss)")
                   ->option_text("[METRIC]")
                   ->expected(0, 1)
                   ->check(metric_name());
  app.add_flag("--no-save-best", into.no_save_best, "do not keep best.keras")->excludes(best);
}

// A folder, so that MODEL or DATA after the option is not taken for one.
CLI::Validator folder_name() {
  return CLI::Validator(
      [](std::string& text) {
        std::error_code error;
        const bool is_file = std::filesystem::is_regular_file(text, error);
        return is_file || text.ends_with(".keras")
                   ? fmt::format("expects a folder for the event files, found the file '{}'", text)
                   : std::string();
      },
      "");
}

void add_tensor_board(CLI::App& app, TrainArguments& into) {
  app.add_option("--tensorboard", into.tensorboard,
                 "write event files that TensorBoard shows (default: to RUN/tensorboard)")
      ->option_text("[DIR]")
      ->expected(0, 1)
      ->check(folder_name());
}

// --mode has one metric to be about.
void refuse_idle_mode(const TrainArguments& into) {
  if (into.learning.mode.empty()) return;
  const std::string stopping =
      into.learning.early_stopping == kUsualMetric ? "" : into.learning.early_stopping;
  const std::string best = into.save_best.value_or("");
  if (stopping.empty() && best.empty())
    throw WrongUsage("train: --mode is for a METRIC that --early-stopping or --save-best names");
  if (!stopping.empty() && !best.empty() && stopping != best)
    throw WrongUsage(
        fmt::format("train: --mode is for one metric, found --early-stopping {} and --save-best {}",
                    stopping, best));
}

}  // namespace

void add_train(CLI::App& app, TrainArguments& into) {
  add_model(app, into.model);
  add_data(app, into.data);
  app.add_option("--out", into.out, "the folder to make for the run")
      ->required()
      ->option_text("RUN");
  app.add_flag("--overwrite", into.overwrite, "replace RUN if it is the folder of an earlier run");
  add_loop(app, into);
  add_best(app, into);
  add_training(app, into.model);
  add_learning(app, into.learning);
  add_objective(app, into.model);
  add_data_options(app, into.data);
  add_encode(app, into.data);
  add_reading(app, into.reading);
  add_augmentation(app, into.augmentation);
  add_checkpoints(app, into.checkpoints);
  add_tensor_board(app, into);
  app.add_flag("--json", into.json, "print the result as JSON");
}

bool read(Arguments arguments, TrainArguments& into) {
  CLI::App app("Trains a Keras model on data, in a given amount of memory.", "plimsoll train");
  add_train(app, into);
  app.footer(kTrainHelp);
  if (!parse(app, arguments)) return false;
  into.given.assign(arguments.begin(), arguments.end());
  if (into.out.empty()) throw WrongUsage("train: --out expects the name of a folder, found ''");
  while (into.out.size() > 1 && into.out.ends_with('/')) into.out.pop_back();
  if (into.reading.on_bad.empty()) into.reading.on_bad = "fail";
  refuse_idle_mode(into);
  if (into.checkpoints.none && (into.on_bad_step == "rollback" || into.on_bad_step == "repair"))
    throw WrongUsage(
        fmt::format("train: --on-bad-step {} goes back to checkpoints, found --no-checkpoints",
                    into.on_bad_step));
  return true;
}

}  // namespace plimsoll::cli
