// The options of train and resume about checkpoints, and how long a run may take.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "plimsoll/train/checkpoints/checkpoint_options.h"

namespace plimsoll::cli {

struct CheckpointArguments {
  std::string every = "60s";
  int64_t every_steps = 0;
  int keep = 2;
  bool none = false;
  bool allow_changed = false;
  std::string max_time;  // empty: as long as it takes
};

// --checkpoint-every, --checkpoint-steps, --keep-checkpoints, --no-checkpoints, --allow-changed,
// --max-time
void add_checkpoints(CLI::App& app, CheckpointArguments& arguments);
// Those of them that a run which goes on may change.
void add_limits(CLI::App& app, CheckpointArguments& arguments);

// What fit is to do; it sees the signals that came to the command.
CheckpointOptions checkpoint_options(const CheckpointArguments& arguments);

// FitOptions::max_time: what is left of --max-time, which counts from the begin of the process.
std::string time_left(const CheckpointArguments& arguments);

}  // namespace plimsoll::cli
