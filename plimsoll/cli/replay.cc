// plimsoll replay: shows a step of a run whose loss or gradients were not finite.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "plimsoll/base/error.h"
#include "plimsoll/cli/earlier_run.h"
#include "plimsoll/cli/model_arguments.h"
#include "plimsoll/cli/output.h"
#include "plimsoll/cli/parse.h"
#include "plimsoll/cli/train_arguments.h"
#include "plimsoll/train/replay.h"
#include "plimsoll/train/runs/run_json.h"
#include "plimsoll/train/steps/bad_batch_json.h"

namespace plimsoll::cli {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

struct ReplayArguments {
  std::string run, at;
  std::optional<int64_t> step;
  bool json = false;
};

constexpr const char* kReplayHelp =
    "Example:\n\n"
    "  plimsoll replay run\n"
    "  plimsoll replay run --at dense_1\n\n"
    "A run keeps the last steps whose loss or gradients were not finite in RUN/bad-steps: the "
    "model\n"
    "before the step and the records of its batch. The operations are shown in the order they "
    "run,\n"
    "with the numbers that they made; --at shows one layer or operation with its inputs and the\n"
    "distribution of its outputs.\n";

bool read(Arguments arguments, ReplayArguments& into) {
  CLI::App app("Shows a step that was not finite, operation by operation.", "plimsoll replay");
  app.add_option("RUN", into.run, "the folder of the run")->required()->option_text(" ");
  app.add_option("--step", into.step, "which step (default: the last that was kept)")
      ->option_text("N");
  app.add_option("--at", into.at, "a layer or an operation, with its inputs and distributions")
      ->option_text("NAME");
  app.add_flag("--json", into.json, "print the operations as JSON");
  app.footer(kReplayHelp);
  return parse(app, arguments);
}

int64_t chosen_step(const ReplayArguments& given) {
  const std::vector<int64_t> known = bad_steps(given.run);
  if (known.empty())
    throw InvalidArgument(given.run +
                          ": no step is kept in bad-steps: each loss and gradient was finite, or "
                          "the step could not be written");
  if (!given.step) return known.back();
  if (std::ranges::find(known, *given.step) == known.end())
    throw InvalidArgument(fmt::format("{}: step {} is not kept (kept: {})", given.run, *given.step,
                                      fmt::join(known, ", ")));
  return *given.step;
}

// What a program trains is replayed with the model that it has left.
ModelArguments model_of_program(const std::string& run) {
  ModelArguments model;
  model.path = model_in(run);
  if (model.path.empty())
    throw InvalidArgument(
        run +
        ": a program has trained it, and it has no model.keras yet, with which its steps are "
        "replayed; in C++, Model::replay replays them with the model of the program");
  return model;
}

// The model that the run began with, compiled as it was.
ModelArguments model_of_command(const std::string& run) {
  const EarlierCommand command = command_of_run(run);
  std::vector<const char*> texts;
  for (const std::string& argument : command.arguments) texts.push_back(argument.c_str());
  TrainArguments train;
  if (!read(Arguments(texts), train))
    throw CorruptFile(run + "/run.json: has no command that trains");
  train.model.path = (fs::path(command.folder) / train.model.path).string();
  return train.model;
}

Model model_of_run(const std::string& run) {
  const ModelArguments arguments =
      is_of_program(run) ? model_of_program(run) : model_of_command(run);
  Findings findings;
  Model model = load(arguments, Weights::replaced, findings);
  compile(model, arguments);
  return model;
}

std::string name_of(const ReplayedOperation& operation) {
  return operation.gradient_of.empty()
             ? operation.op
             : fmt::format("{} (gradient of {})", operation.op, operation.gradient_of);
}

std::string bars(const Histogram& histogram) {
  static constexpr const char* kBars[] = {" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
  std::string text;
  const int64_t most = histogram.counts.empty() ? 0 : std::ranges::max(histogram.counts);
  for (const int64_t count : histogram.counts)
    text += kBars[most == 0 ? 0 : (count * 8 + most - 1) / most];
  return text;
}

// Empty if it is no line of a program.
std::string line_of(const ReplayedOperation& operation) {
  return operation.where.is_in_program() ? operation.where.to_string() : "";
}

void print_row(const ReplayedOperation& operation) {
  const std::string line = line_of(operation);
  for (const FiniteRange& output : operation.outputs)
    print_text(fmt::format("{}{:<40} {:<24} {:<18} {}{}\n", output.is_finite() ? "  " : "! ",
                           name_of(operation), operation.layer, output.shape.to_string(),
                           to_string(output), line.empty() ? "" : "  at " + line));
}

void print_whole(const ReplayedOperation& operation) {
  print_row(operation);
  for (const FiniteRange& input : operation.inputs)
    print_text(fmt::format("    reads {:<18} {}\n", input.shape.to_string(), to_string(input)));
  for (const Histogram& histogram : operation.histograms)
    if (!histogram.counts.empty())
      print_text(fmt::format("    {:.4g} |{}| {:.4g}\n", histogram.least, bars(histogram),
                             histogram.largest));
}

Json operation_json(const ReplayedOperation& operation) {
  Json inputs = Json::array(), outputs = Json::array();
  for (const FiniteRange& range : operation.inputs) inputs.push_back(range_json(range));
  for (size_t i = 0; i < operation.outputs.size(); ++i) {
    outputs.push_back(range_json(operation.outputs[i]));
    outputs.back()["histogram"] = operation.histograms[i].counts;
  }
  return {{"op", operation.op},       {"gradient_of", operation.gradient_of},
          {"layer", operation.layer}, {"line", line_of(operation)},
          {"inputs", inputs},         {"outputs", outputs}};
}

void print(const ReplayedStep& replayed, int64_t step, const ReplayArguments& given) {
  if (given.json) {
    Json operations = Json::array();
    for (const ReplayedOperation& operation : replayed.operations)
      operations.push_back(operation_json(operation));
    print_json({{"step", step},
                {"cause", replayed.cause},
                {"records", replayed.records},
                {"operations", operations}});
    return;
  }
  print_text(fmt::format("step {}: {}\n\n", step, replayed.cause));
  for (const ReplayedOperation& operation : replayed.operations)
    given.at.empty() ? print_row(operation) : print_whole(operation);
}

}  // namespace

int replay(Arguments arguments) {
  ReplayArguments given;
  if (!read(arguments, given)) return kDone;
  const int64_t step = chosen_step(given);
  Model model = model_of_run(given.run);
  print(model.replay(given.run, step, given.at), step, given);
  return kDone;
}

}  // namespace plimsoll::cli
