#include "plimsoll/cli/train_arguments.h"

#include "plimsoll/cli/augment_arguments.h"
#include "plimsoll/cli/parse.h"
#include "plimsoll/cli/wrong_usage.h"

namespace plimsoll::cli {
namespace {

constexpr const char* kTrainHelp =
    "Example: a model and data that Keras and NumPy saved,\n\n"
    "  plimsoll train model.keras data.npz --out run --epochs 10 --validation-split 0.1\n\n"
    "the price of houses from a table, in no more than 512 MiB,\n\n"
    "  plimsoll train model.keras houses.csv --target price --out run --memory 512MiB\n\n"
    "and photos, sorted into a folder for each class, learnt by the head of a model alone:\n\n"
    "  plimsoll train model.keras photos --out run --freeze 'conv*'\n\n"
    "The run's folder then has model.keras, which Keras loads and trains on; run.json, what was\n"
    "asked, planned and reached; log.jsonl, one line an event; classes.json, the names of the\n"
    "classes; and quarantine.jsonl, the records that were left out. Ctrl-C ends after the\n"
    "current batch and saves what was learnt until then.\n";

void add_loop(CLI::App& app, TrainArguments& into) {
  app.add_option("--epochs", into.epochs, "passes over the data (default: 1)")
      ->option_text("N")
      ->check(count());
  app.add_option("--batch-size,--batch", into.batch_size, "samples in a batch (default: 32)")
      ->option_text("N")
      ->check(count());
  add_saving(app, into.saving,
             "what the run may take; one that would take more is fitted into it, or refused before "
             "its first step (default: what this machine gives)");
  auto* data = app.add_option("--validation", into.validation,
                              "data to measure the model on after each epoch, as DATA")
                   ->option_text("DATA");
  auto* part = app.add_option("--validation-split", into.validation_split,
                              "instead: the last part of DATA, 0.1 say; images are shuffled before")
                   ->option_text("F")
                   ->check(fraction())
                   ->excludes(data);
  app.add_option("--split-by", into.split_by,
                 "hash: records are chosen by their names instead, and stay where they are when "
                 "others are added (default: order)")
      ->option_text("order|hash")
      ->check(CLI::IsMember({"order", "hash"}))
      ->needs(part);
  app.add_option("--seed", into.seed, "of all that is random (default: 0)")
      ->option_text("N")
      ->check(integer());
  app.add_flag("--no-shuffle", into.no_shuffle, "take the samples in the order of the data");
  app.add_option("--threads", into.threads, "threads that compute (default: one a core)")
      ->option_text("N")
      ->check(count());
}

}  // namespace

bool read(Arguments arguments, TrainArguments& into) {
  CLI::App app("Trains a Keras model on data, in the memory it is given.", "plimsoll train");
  add_model(app, into.model);
  add_data(app, into.data);
  app.add_option("--out", into.out, "the folder of the run, which is made")
      ->required()
      ->option_text("RUN");
  app.add_flag("--overwrite", into.overwrite, "replace a run that is there");
  add_loop(app, into);
  add_training(app, into.model);
  add_objective(app, into.model);
  add_data_options(app, into.data);
  add_reading(app, into.reading);
  add_augmentation(app, into.augmentation);
  app.add_flag("--json", into.json, "the result as JSON");
  app.footer(kTrainHelp);
  if (!parse(app, arguments)) return false;
  if (into.out.empty()) throw WrongUsage("train: --out expects the name of a folder, found ''");
  while (into.out.size() > 1 && into.out.ends_with('/')) into.out.pop_back();
  return true;
}

}  // namespace plimsoll::cli
