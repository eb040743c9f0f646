// plimsoll reduce: the smallest case of a training that fails or learns badly.
#include "plimsoll/train/reduce/reduce.h"
#include "plimsoll/base/duration.h"
#include "plimsoll/base/stop_signals.h"

#include <fmt/format.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "plimsoll/base/error.h"
#include "plimsoll/cli/case_check.h"
#include "plimsoll/cli/duration.h"
#include "plimsoll/cli/earlier_run.h"
#include "plimsoll/cli/examined_run.h"
#include "plimsoll/cli/output.h"
#include "plimsoll/cli/parse.h"
#include "plimsoll/cli/reading_arguments.h"
#include "plimsoll/cli/reduce_progress.h"
#include "plimsoll/cli/wrong_usage.h"
#include "plimsoll/nn/clock.h"
#include "plimsoll/train/reduce/case_folder.h"
#include "plimsoll/train/runs/run_json.h"

namespace plimsoll::cli {
namespace {

namespace fs = std::filesystem;

constexpr const char* kReduceHelp =
    "Examples: a run that has ended, and a training that fails\n\n"
    "  plimsoll reduce run\n"
    "  plimsoll reduce model.keras houses.csv --target price --epochs 5 --out case\n\n"
    "The folder CASE then holds model.keras, data.npz and README.md, which says what fails and "
    "with\n"
    "which command. Ctrl-C ends the search with the smallest case so far.\n";

struct ReduceArguments {
  TrainArguments train;  // of MODEL and DATA; of a RUN, those that it was started with
  std::string run;       // empty: there is none
  std::string out = "case", time = "2m";
  bool json = false;
};

void add_training_loop(CLI::App& app, TrainArguments& into) {
  app.add_option("--epochs", into.epochs, "passes over the data (default: 1)")
      ->option_text("N")
      ->check(count());
  app.add_option("--batch-size,--batch", into.batch_size, "samples per batch (default: 32)")
      ->option_text("N")
      ->check(count());
  app.add_option("--seed", into.seed, "the seed of all random numbers (default: 0)")
      ->option_text("N")
      ->check(integer());
  app.add_flag("--no-shuffle", into.no_shuffle, "read the samples in the order of the data");
}

void add_search(CLI::App& app, ReduceArguments& into) {
  app.add_option("--out", into.out, "the folder to make for the case (default: case)")
      ->option_text("CASE");
  app.add_option("--time", into.time,
                 "how long to search; the smallest case so far is written then (default: 2m)")
      ->option_text("TIME")
      ->check(duration());
  app.add_flag("--json", into.json, "print what was found as JSON");
}

bool read(Arguments arguments, ReduceArguments& into) {
  CLI::App app(
      "Finds the fewest records, the smallest model and the earliest step with which a training "
      "still fails, or learns badly, in the same way.",
      "plimsoll reduce");
  std::string first;
  app.add_option("RUN|MODEL", first, "the folder of a run, or a model")
      ->required()
      ->option_text(" ");
  app.add_option("DATA", into.train.data.path, "what the model is trained on")->option_text(" ");
  add_search(app, into);
  add_training_loop(app, into.train);
  add_objective(app, into.train.model);
  add_training(app, into.train.model);
  add_data_options(app, into.train.data);
  add_bad_records(app, into.train.reading);
  app.footer(kReduceHelp);
  if (!parse(app, arguments)) return false;
  while (first.size() > 1 && first.ends_with('/')) first.pop_back();
  std::error_code error;
  if (fs::exists(first + "/run.json", error)) {
    if (!into.train.data.path.empty())
      throw WrongUsage("reduce: a run knows its data; give a RUN, or a MODEL and DATA");
    into.run = fs::absolute(first).string();
  } else if (into.train.data.path.empty()) {
    throw WrongUsage("reduce: expected the folder of a run, or a MODEL and DATA");
  }
  into.train.model.path = first;
  if (into.train.reading.on_bad.empty()) into.train.reading.on_bad = "fail";
  return true;
}

// What decides about the failure; a validation and what only steers do not.
FitOptions fit_options(const TrainArguments& train) {
  FitOptions options{.epochs = train.epochs, .batch_size = train.batch_size};
  options.shuffle = !train.no_shuffle;
  options.seed = train.seed.value_or(0);
  options.memory = train.saving.memory;
  options.reading = reading_options(train.reading);
  return options;
}

ReducedCase search(ReduceArguments& given, Findings& findings) {
  TrainArguments& train = given.train;
  if (!given.run.empty()) {
    train = arguments_of_run(given.run);
    train.seed = read_run_json(given.run).value("seed", int64_t{0});
  }
  set_random_seed(train.seed.value_or(0));
  refuse_swapped(train.model.path, train.data.path);
  const ModelAndData opened = open_model_and_data(train, Weights::replaced, findings);
  ReduceProgressLine line;
  ReduceOptions options{.fit = fit_options(train),
                        .run = given.run,
                        .seconds = *parse_duration(given.time),
                        .is_stopped = [] { return StopSignals::received() != 0; },
                        .on_progress = [&](const ReduceProgress& now) { line.show(now); }};
  try {
    return plimsoll::reduce(opened.model, opened.data, options);
  } catch (const NothingFails& error) {
    throw WrongUsage(error.what());
  } catch (const InvalidArgument&) {
    StopSignals::check();  // it was stopped before anything failed
    throw;
  }
}

void print(const ReducedCase& found, const std::string& out, bool json) {
  if (json) {
    auto all = nlohmann::ordered_json::parse(case_json(found));
    all["case"] = out;
    all["seconds"] = found.seconds;
    return print_json(all);
  }
  print_text(fmt::format("{} {}: {}\n", to_string(found.failure.kind), found.failure.cause,
                         found.failure.what));
  print_text(
      fmt::format("{} record(s) of {}, {} layer(s) of {}, {} parameter(s) of {}, after {} trials "
                  "in {:.1f} s{}\n",
                  found.size.records, found.from.records, found.size.layers, found.from.layers,
                  found.size.parameters, found.from.parameters, found.trials, found.seconds,
                  found.is_minimal ? "" : "; the search was ended early"));
  print_text(fmt::format("{0} is written; {0}/README.md says how to run it\n", out));
}

}  // namespace

int reduce(Arguments arguments) {
  ReduceArguments given;
  if (!read(arguments, given)) return kDone;
  if (std::error_code error; fs::exists(given.out, error))
    throw InvalidArgument(given.out + ": exists already; name another folder with --out");
  const std::string out = fs::absolute(given.out).string();
  const StopSignals signals;
  Findings findings;
  ReducedCase found = search(given, findings);
  write_case(found, out, [&](const std::string& folder, const ReducedCase& shown) {
    check_case(folder, shown);
    found.failure = shown.failure;
  });
  print(found, given.out, given.json);
  const int signal = StopSignals::received();
  return signal == 0 ? kDone : kSignal + signal;
}

}  // namespace plimsoll::cli
