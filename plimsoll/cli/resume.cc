// plimsoll resume: goes on with a run that was stopped or killed, with the options that it had.
#include <fmt/format.h>

#include <filesystem>
#include <vector>

#include "plimsoll/base/error.h"
#include "plimsoll/cli/earlier_run.h"
#include "plimsoll/cli/output.h"
#include "plimsoll/cli/parse.h"
#include "plimsoll/cli/train_arguments.h"
#include "plimsoll/cli/wrong_usage.h"

namespace plimsoll::cli {
namespace {

namespace fs = std::filesystem;

constexpr const char* kResumeHelp =
    "Example: train, and go on where a queue ends the job after 12 hours\n\n"
    "  plimsoll train model.keras data.npz --out run --epochs 100 --max-time 11h\n"
    "  plimsoll resume run --max-time 11h\n\n"
    "The run goes on from its newest checkpoint, and ends with the same weights, bit for bit, as "
    "if\n"
    "nothing had happened. Paths are those of the command that began the run.\n";

struct ResumeArguments {
  std::string run;
  std::optional<int64_t> epochs;
  std::string memory;
  int threads = 0;
  CheckpointArguments limits;
  bool json = false;
};

bool read(Arguments arguments, ResumeArguments& into) {
  CLI::App app("Goes on with a run of plimsoll train that was stopped or killed.",
               "plimsoll resume");
  app.add_option("RUN", into.run, "the folder of the run")->required()->option_text(" ");
  app.add_option("--epochs", into.epochs, "train to this epoch instead")
      ->option_text("N")
      ->check(count());
  add_memory(app, into.memory, "the most memory that the run may take from here on");
  app.add_option("--threads", into.threads, "threads that compute (default: one per core)")
      ->option_text("N")
      ->check(count());
  add_limits(app, into.limits);
  app.add_flag("--json", into.json, "print the result as JSON");
  app.footer(kResumeHelp);
  return parse(app, arguments);
}

// The arguments of the command that began the run, with what is given now.
TrainArguments train_arguments(const ResumeArguments& given, const EarlierCommand& command) {
  std::vector<const char*> texts;
  for (const std::string& argument : command.arguments) texts.push_back(argument.c_str());
  TrainArguments arguments;
  if (!read(Arguments(texts), arguments))
    throw CorruptFile(given.run + "/run.json: has no command that trains");
  arguments.overwrite = false;
  if (given.epochs) arguments.epochs = *given.epochs;
  if (!given.memory.empty()) arguments.saving.memory = given.memory;
  if (given.threads > 0) arguments.threads = given.threads;
  arguments.checkpoints.max_time = given.limits.max_time;
  arguments.checkpoints.allow_changed = given.limits.allow_changed;
  arguments.json = given.json;
  return arguments;
}

// Relative paths of the command are those of the folder in which it was given.
void enter(const std::string& folder) {
  std::error_code error;
  fs::current_path(folder, error);
  if (error)
    throw IoError(
        fmt::format("{}: the run began in this folder, which cannot be entered: {}; go on "
                    "with the same 'plimsoll train' command instead",
                    folder, error.message()));
}

}  // namespace

int resume(Arguments arguments) {
  ResumeArguments given;
  if (!read(arguments, given)) return kDone;
  while (given.run.size() > 1 && given.run.ends_with('/')) given.run.pop_back();
  TrainArguments train = train_arguments(given, command_of_run(given.run));
  if (is_done(given.run, train.epochs)) {
    print_message(fmt::format("{}: its {} epoch(s) are done; raise --epochs to go on", given.run,
                              train.epochs));
    return kDone;
  }
  // Killed before the first one, it begins again, and replaces what it was to replace.
  train.overwrite = !has_checkpoints(given.run) && fs::exists(given.run + "/model.keras");
  if (train.overwrite && has_own_model(given.run))
    throw InvalidArgument(given.run +
                          ": has no checkpoint to go on from; train its model.keras further, with "
                          "another --out");
  const fs::path here = fs::current_path();
  const EarlierCommand command = command_of_run(given.run);
  enter(command.folder);
  // A folder that was not moved keeps its name in what is printed.
  std::error_code error;
  if (!fs::equivalent(train.out, here / given.run, error))
    train.out = (here / given.run).lexically_normal().string();
  return run_train(std::move(train));
}

}  // namespace plimsoll::cli
