// plimsoll evaluate: computes the loss and the metrics of a model on data.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "plimsoll/base/stop_signals.h"
#include "plimsoll/base/threads.h"
#include "plimsoll/cli/command_list.h"
#include "plimsoll/cli/data_arguments.h"
#include "plimsoll/cli/left_out.h"
#include "plimsoll/cli/model_arguments.h"
#include "plimsoll/cli/output.h"
#include "plimsoll/cli/parse.h"
#include "plimsoll/cli/planned_weights.h"
#include "plimsoll/cli/progress.h"
#include "plimsoll/cli/reading_arguments.h"
#include "plimsoll/cli/saving_arguments.h"
#include "plimsoll/cli/stop_after_batch.h"
#include "plimsoll/record/run_log.h"
#include "plimsoll/train/data/open_data.h"
#include "plimsoll/train/reported_names.h"

namespace plimsoll::cli {
namespace {

struct EvaluateArguments {
  ModelArguments model;
  DataArguments data;
  ReadingArguments reading;
  int64_t batch_size = 32;
  std::string memory;
  int threads = 0;
  bool json = false;
};

constexpr const char* kEvaluateHelp =
    "Example: measure the model of a run on data that it has not seen\n\n"
    "  plimsoll evaluate run/model.keras test.npz\n";

bool read(Arguments arguments, EvaluateArguments& into) {
  CLI::App app("Computes the loss and the metrics of a model on data.", "plimsoll evaluate");
  add_model(app, into.model);
  add_data(app, into.data);
  app.add_option("--batch-size,--batch", into.batch_size, "samples per batch (default: 32)")
      ->option_text("N")
      ->check(count());
  add_memory(app, into.memory,
             "the most memory that the command may take; a batch that needs more runs in parts "
             "(default: what this machine has left)");
  add_objective(app, into.model);
  add_data_options(app, into.data);
  add_bad_records(app, into.reading);
  app.add_option("--threads", into.threads, "threads that compute (default: one per core)")
      ->option_text("N")
      ->check(count());
  app.add_flag("--json", into.json, "print the numbers as JSON");
  app.footer(kEvaluateHelp);
  return parse(app, arguments);
}

using Names = std::vector<std::string>;

void print(const Names& names, const Logs& logs, int64_t records, int64_t left_out, bool json) {
  if (json) {
    nlohmann::ordered_json numbers = {{"records", records}};
    if (left_out > 0) numbers["left_out"] = left_out;
    for (const std::string& name : names) numbers[name] = json_number(logs.at(name));
    print_json(numbers);
    return;
  }
  print_text(fmt::format("{:<24} {}\n", "records", records));
  if (left_out > 0) print_text(fmt::format("{:<24} {}\n", "left_out", left_out));
  for (const std::string& name : names)
    print_text(fmt::format("{:<24} {:.6g}\n", name, logs.at(name)));
}

}  // namespace

int evaluate(Arguments arguments) {
  EvaluateArguments parsed;
  if (!read(arguments, parsed)) return kDone;
  if (parsed.threads > 0) set_thread_count(parsed.threads);
  const StopSignals signals;
  Findings findings;
  refuse_swapped(parsed.model.path, parsed.data.path);
  const auto weights = std::make_shared<PlannedWeights>();
  Model model = load(parsed.model, Weights::required, weights->values(), findings);
  compile(model, parsed.model);
  DataOptions options = data_options_for(parsed.model.path, parsed.data, findings);
  use(parsed.reading, options);
  const OpenedData opened = open_data(parsed.data.path, model, options);
  const Dataset& data = opened.data;
  if (const auto note = about_places(opened, parsed.data.path, options)) findings.add(*note);
  Callbacks callbacks = moving_line();
  callbacks.emplace_back(weights);
  callbacks.emplace_back(std::make_shared<StopAfterBatch>());
  const auto left_out = std::make_shared<LeftOut>();
  callbacks.emplace_back(left_out);
  const Logs logs = model.evaluate(data, {.batch_size = parsed.batch_size,
                                          .memory = parsed.memory,
                                          .reading = reading_options(parsed.reading, options),
                                          .callbacks = std::move(callbacks)});
  left_out->say(parsed.data.path, "are left out", findings);
  print(reported_names(model), logs, data.source->size() - left_out->count(), left_out->count(),
        parsed.json);
  return kDone;
}

}  // namespace plimsoll::cli
