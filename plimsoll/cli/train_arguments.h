// The arguments of plimsoll train.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "plimsoll/cli/checkpoint_arguments.h"
#include "plimsoll/cli/command_list.h"
#include "plimsoll/cli/data_arguments.h"
#include "plimsoll/cli/learning_arguments.h"
#include "plimsoll/cli/model_arguments.h"
#include "plimsoll/cli/reading_arguments.h"
#include "plimsoll/cli/saving_arguments.h"

namespace plimsoll::cli {

struct TrainArguments {
  ModelArguments model;
  DataArguments data;
  std::string out;  // the folder of the run
  bool overwrite = false;
  int64_t epochs = 1;
  int64_t batch_size = 32;
  SavingArguments saving;
  ReadingArguments reading;
  LearningArguments learning;
  std::string augmentation;
  std::string validation;  // data
  std::optional<double> validation_split;
  std::string split_by = "order";
  std::optional<std::string> save_best;  // the metric; empty: val_loss
  bool no_save_best = false;
  std::optional<int64_t> seed;
  int threads = 0;
  bool no_shuffle = false;
  bool no_statistics = false;
  int64_t profiled_steps = 0;
  bool no_doctor = false;
  bool normalise = false;
  std::optional<std::string> tensorboard;  // a folder; empty: RUN/tensorboard
  bool json = false;
  bool is_silent = false;  // nothing is printed but what is wrong: --repair prints its own
  CheckpointArguments checkpoints;
  std::string on_bad_step = "stop";
  std::vector<std::string> given;  // all of them, as they were given
};

// Every argument of train.
void add_train(CLI::App& app, TrainArguments& into);

// False where help was asked for and printed.
bool read(Arguments arguments, TrainArguments& into);

// Trains; what plimsoll train and plimsoll resume do.
int run_train(TrainArguments arguments);

}  // namespace plimsoll::cli
