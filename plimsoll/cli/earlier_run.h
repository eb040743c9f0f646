// EarlierRun: a run that is in a folder already, which can go on from its checkpoints.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "plimsoll/cli/train_arguments.h"

namespace plimsoll::cli {

struct EarlierRun {
  std::string status;  // "running", if it was killed
  int64_t epochs_done = 0;
  int64_t seed = 0;
};

// The run in arguments.out, if it can go on. Where it ended before it had a checkpoint or a
// model, it is replaced: arguments.overwrite is set. InvalidArgument if it is done and is not
// asked for more epochs, or where its checkpoints are not wanted. CorruptFile where its run.json
// cannot be read.
std::optional<EarlierRun> find_earlier_run(TrainArguments& arguments);

// True if the folder has checkpoints, whole or not.
bool has_checkpoints(const std::string& run);

// True if the run has left a model: one of a run that it is to replace does not count.
bool has_own_model(const std::string& run);

// True if the run in the folder is done, and has done so many epochs.
bool is_done(const std::string& run, int64_t epochs);

// How the run in a folder was started: the arguments of train, and the folder in which that was.
struct EarlierCommand {
  std::vector<std::string> arguments;
  std::string folder;
};
// InvalidArgument where the folder is not that of a run, or where a program has trained it.
EarlierCommand command_of_run(const std::string& run);

// True if no command has left the run, but the fit of a program.
bool is_of_program(const std::string& run);

}  // namespace plimsoll::cli
