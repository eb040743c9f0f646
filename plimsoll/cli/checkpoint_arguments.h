// The options of train and resume about checkpoints, and how long a run may take.
#pragma once

#include <CLI/CLI.hpp>
#include <chrono>
#include <optional>
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

// What fit is to do. It asks for the end where a signal came or the time is over.
CheckpointOptions checkpoint_options(const CheckpointArguments& arguments);

// True if the time that the run may take is over.
bool is_time_over(const CheckpointArguments& arguments);

}  // namespace plimsoll::cli
