// plimsoll profile: where the time of a training step goes.
#include <fmt/format.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "plimsoll/base/stop_signals.h"
#include "plimsoll/base/threads.h"
#include "plimsoll/cli/output.h"
#include "plimsoll/cli/parse.h"
#include "plimsoll/cli/profile_files.h"
#include "plimsoll/cli/progress.h"
#include "plimsoll/cli/protect_inputs.h"
#include "plimsoll/cli/run_data.h"
#include "plimsoll/cli/stop_after_batch.h"
#include "plimsoll/cli/wrong_usage.h"
#include "plimsoll/report/profile_report.h"

namespace plimsoll::cli {
namespace {

constexpr const char* kProfileHelp =
    "Example: the time of each layer, and a trace for Perfetto\n\n"
    "  plimsoll profile model.keras data.npz --by layer --trace trace.json\n\n"
    "A few steps of training are run and measured; the model file is left as it is. 'of peak'\n"
    "is what an operation makes of the machine's measured speed of computing (after GFLOP/s), and "
    "of\n"
    "the bandwidth of its memory (after GB/s).\n"
    "'plimsoll train --profile N' measures N steps of a real run.\n";

struct ProfileArguments {
  TrainArguments train;
  int64_t steps = 20, rows = 20;
  std::string by = "operation", trace;
};

bool read(Arguments arguments, ProfileArguments& into) {
  CLI::App app("Measures the operations of training steps: time, speed, and what limits it.",
               "plimsoll profile");
  add_model(app, into.train.model);
  add_data(app, into.train.data);
  app.add_option("--steps", into.steps, "steps to measure, after 3 that are not (default: 20)")
      ->option_text("N")
      ->check(count());
  app.add_option("--by", into.by, "a row per operation of a layer (default), or per layer")
      ->option_text("operation|layer")
      ->check(CLI::IsMember({"operation", "layer"}));
  app.add_option("--rows", into.rows, "the rows that are shown, the longest first (default: 20)")
      ->option_text("N")
      ->check(count());
  app.add_option("--trace", into.trace,
                 "also write what each thread did and when, for ui.perfetto.dev")
      ->option_text("FILE");
  app.add_option("--batch-size,--batch", into.train.batch_size, "samples per batch (default: 32)")
      ->option_text("N")
      ->check(count());
  add_saving(app, into.train.saving,
             "the most memory that the steps may take (default: what this machine has left)");
  add_objective(app, into.train.model);
  add_training(app, into.train.model);
  add_data_options(app, into.train.data);
  add_encode(app, into.train.data);
  add_reading(app, into.train.reading);
  app.add_option("--threads", into.train.threads, "threads that compute (default: one per core)")
      ->option_text("N")
      ->check(count());
  app.add_flag("--json", into.train.json, "print all numbers as JSON");
  app.footer(kProfileHelp);
  if (!parse(app, arguments)) return false;
  if (into.train.reading.on_bad.empty()) into.train.reading.on_bad = "fail";
  return true;
}

// Epochs are as short as a step where there is little data.
FitOptions fit_options(const ProfileArguments& arguments, std::shared_ptr<Profiler> profiler) {
  FitOptions options{.epochs = 3 + arguments.steps, .batch_size = arguments.train.batch_size};
  options.memory = arguments.train.saving.memory;
  options.saving = arguments.train.saving.saving;
  options.reading = reading_options(arguments.train.reading);
  options.verbose = 0;
  options.callbacks = moving_line();
  options.callbacks.emplace_back(std::make_shared<StopAfterBatch>());
  options.callbacks.emplace_back(std::move(profiler));
  return options;
}

}  // namespace

int profile(Arguments arguments) {
  ProfileArguments parsed;
  if (!read(arguments, parsed)) return kDone;
  if (parsed.train.threads > 0) set_thread_count(parsed.train.threads);
  refuse_swapped(parsed.train.model.path, parsed.train.data.path);
  if (!parsed.trace.empty()) {
    Inputs inputs = inputs_of(parsed.train.data);
    inputs.push_back({"the model", parsed.train.model.path});
    refuse_to_replace("profile", parsed.trace, inputs);
  }
  const StopSignals signals;
  Findings findings;
  Model model = load(parsed.train.model, Weights::read, findings);
  compile(model, parsed.train.model);
  const std::string folder = std::filesystem::temp_directory_path().string();
  const RunData data = open_run_data(parsed.train, model, folder, findings);
  const auto profiler =
      std::make_shared<Profiler>(ProfilerOptions{.steps = parsed.steps, .stop_after = true});
  model.fit(data.train, fit_options(parsed, profiler));
  if (!parsed.trace.empty()) write_trace(*profiler, parsed.trace);
  if (parsed.train.json)
    print_json(nlohmann::ordered_json::parse(to_json(profiler->profile())));
  else
    print_text(profile_table(profiler->profile(),
                             parsed.by == "layer" ? ProfileBy::layer : ProfileBy::operation,
                             static_cast<size_t>(parsed.rows)));
  return kDone;
}

}  // namespace plimsoll::cli
