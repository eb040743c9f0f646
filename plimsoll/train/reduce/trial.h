// Trials: smaller and smaller trainings, each looked at for the way in which it fails.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "plimsoll/train/model.h"
#include "plimsoll/train/reduce/failure.h"
#include "plimsoll/train/reduce/start_state.h"

namespace plimsoll {

// A training that may fail. It begins with `start` and shuffles only if the setting says so.
struct Candidate {
  std::string network;  // its config, as JSON
  StartStatePtr start;
  SourcePtr records;
  int64_t batch_size = 32, epochs = 1;
};

// What all trials of a reduction share.
struct TrialSetting {
  std::string compile;  // optimizer, loss and metrics, as JSON
  FieldMeaning meaning = {};
  ReadingOptions reading = {};
  std::string memory = {};
  int64_t seed = 0;
  bool shuffles = false;
  std::function<bool()> is_over = {};  // ends a trial, which then has not failed
};

// Where a failure shows.
enum class Look {
  at_records,       // they are read; nothing is trained
  at_steps,         // of a training that ends with the first that is not finite
  before_training,  // in what the doctor says of the model and its records
  after_training,   // in what the doctor says of the run
};

struct TrialResult {
  std::optional<Failure> failure = {};
  std::vector<std::string> records = {};  // names of those that are the cause, if that is known
  Model model;                            // after the last good step
};

// A new model of the candidate. The random numbers of the thread begin anew.
Model make_model(const TrialSetting& setting, const Candidate& candidate);
Dataset dataset_of(const TrialSetting& setting, const SourcePtr& records);

// InvalidArgument or DoesNotFit where the training cannot begin.
TrialResult run_trial(const TrialSetting& setting, const Candidate& candidate, Look look);

}  // namespace plimsoll
