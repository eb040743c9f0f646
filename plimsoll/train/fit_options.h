// What fit, evaluate and predict take, by Keras's names.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "plimsoll/train/callbacks/callback.h"
#include "plimsoll/train/checkpoints/checkpoint_options.h"
#include "plimsoll/train/data/class_weight.h"
#include "plimsoll/train/data/dataset.h"
#include "plimsoll/train/data/reading_options.h"
#include "plimsoll/train/memory/saving_options.h"

namespace plimsoll {

// Which epochs end with a validation: each n-th, or those listed, counted from 1.
struct ValidationFrequency {
  ValidationFrequency(int64_t n = 1) : every(n) {}
  ValidationFrequency(std::initializer_list<int64_t> list) : epochs(list) {}

  int64_t every = 1;
  std::vector<int64_t> epochs = {};
};

// What fit does if the loss or a gradient of a step is not finite. The step has changed no weight.
enum class OnBadStep {
  stop,      // throws NotFinite
  skip,      // leaves the update out and, from the next pass over the data on, the records that are
             // the cause; throws at the third such step among 100
  rollback,  // goes back to the last checkpoint of before the step, with half the learning rate;
             // throws at the ninth
  repair,    // skips if some of the records are the cause, else rolls back
};

// Of "stop", "skip", "rollback" or "repair"; InvalidArgument for any other name.
OnBadStep on_bad_step_of(std::string_view name);

struct FitOptions {
  int64_t epochs = 1;                           // the number of the last one, counted from 1
  std::optional<int64_t> batch_size = {};       // 32, or what makes steps_per_epoch batches
  std::optional<int64_t> steps_per_epoch = {};  // an epoch goes on where the last one ended
  int64_t initial_epoch = 0;                    // the first one, counted from 0
  bool shuffle = true;
  std::optional<int64_t> seed = {};  // set_random_seed() before training
  ClassWeight class_weight = {};     // by class; in training, not in validation
  Columns sample_weight = {};        // for x and y that are in memory; see Dataset
  Dataset validation_data = {};
  double validation_split = 0;                        // the last part of the data, as Keras
  std::optional<int64_t> validation_batch_size = {};  // none: batch_size
  std::optional<int64_t> validation_steps = {};       // the first batches only
  ValidationFrequency validation_freq = 1;
  // "512MiB": all that the process may take, in every phase. Where a step does not fit, some of it
  // is computed again instead of kept. Empty: memory_budget(), what the machine gives.
  std::string memory = {};
  SavingOptions saving = {};    // what may be done so that it fits
  ReadingOptions reading = {};  // of the data, and what is done about bad records
  OnBadStep on_bad_step = OnBadStep::stop;
  // The folder of the run: its checkpoints, run.json, log.jsonl, model.keras and what else
  // `plimsoll train` leaves, for `plimsoll runs`, `report` and `doctor`. A run that finds its own
  // checkpoints there goes on from the newest, and ends with the same weights, bit for bit, as if
  // nothing had happened. Empty: nothing is kept.
  std::string run = {};
  // "11h": when so much time has passed since fit was called, it throws OutOfTime. With a `run` it
  // writes a checkpoint before that, and the next call goes on and has this time again. Empty: it
  // takes as long as it takes.
  std::string max_time = {};
  CheckpointOptions checkpoints = {};
  int verbose = 1;  // 0: silent; 1: a line per epoch, live on a terminal; 2: one when it is done
  Callbacks callbacks = {};
};

inline bool may_go_back(const FitOptions& options) {
  return options.on_bad_step == OnBadStep::rollback || options.on_bad_step == OnBadStep::repair;
}

struct PlanOptions {
  std::optional<int64_t> budget_bytes = {};  // the step is fitted into it where it can be
  SavingOptions saving = {};                 // how
};

struct EvaluateOptions {
  std::optional<int64_t> batch_size = {};
  std::optional<int64_t> steps = {};  // the first batches only
  Columns sample_weight = {};
  // All that the process may take; empty: memory_budget(). A batch that does not fit runs in parts.
  std::string memory = {};
  ReadingOptions reading = {};
  int verbose = 0;
  Callbacks callbacks = {};
};

struct PredictOptions {
  std::optional<int64_t> batch_size = {};
  std::optional<int64_t> steps = {};
  // Without: nothing is returned, and nothing grows; callbacks see the outputs of each batch.
  bool collect = true;
  // All that the process may take; empty: memory_budget(). A batch that does not fit becomes
  // several smaller ones: callbacks see these.
  std::string memory = {};
  ReadingOptions reading = {};
  int verbose = 0;
  Callbacks callbacks = {};
};

struct BatchOptions {
  Columns sample_weight = {};
  ClassWeight class_weight = {};  // of train_on_batch
};

}  // namespace plimsoll
