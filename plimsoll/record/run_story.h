// RunStory: what happened in a training run, as its log tells it.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "plimsoll/base/finding.h"
#include "plimsoll/record/step_statistics.h"

namespace plimsoll {

struct EpochStory {
  std::map<std::string, double> metrics = {};  // "loss", "val_loss", …
  int64_t samples = 0;
  double seconds = 0;
  int64_t resident_bytes = 0;
  double step_seconds = 0, slowest_step_seconds = 0;  // the mean of the others, and the slowest
  double core_wait_seconds = 0;  // that the thread was ready to run and had no core
};

// A line of a program that keeps more tensors after each epoch.
struct GrowingLine {
  std::string line = {};  // "main.py:12"
  int64_t tensors = 0;    // that it has made and that are kept
  int64_t bytes = 0;      // that these hold
};

// A step whose loss or gradients are not finite.
struct NotFiniteStory {
  int64_t epoch = 0, batch = 0;  // from 1
  std::string what = {};         // in words
  std::string op = {}, layer = {};
  std::string line = {};  // of the program that recorded it: "main.py:12"; empty: not known
  // "operation", "weight", "update", "input"; empty: it is not known where it began
  std::string kind = {};
  bool is_kept = false;                   // in RUN/bad-steps, for a replay
  std::vector<std::string> records = {};  // that are the cause; none: the weights are
  int64_t batch_records = 0;              // of all of the batch; 0: that is not known
};

// What the doctor said while the run went on.
struct ToldCause {
  std::string cause = {}, severity = {};
  double confidence = 0;
  std::string where = {};  // "dense_1, houses.csv:17, main.py:12"; empty: it is not known
  std::string what = {}, remedy = {}, option = {};
};

struct RunStory {
  bool is_of_command = false;  // `plimsoll train` has trained it, not a program
  std::vector<EpochStory> epochs = {};
  std::vector<StepStatistics> statistics = {};  // of sampled steps
  std::optional<NotFiniteStory> not_finite = {};
  std::vector<Finding> findings = {};    // about the model and the data, before the first step
  std::vector<ToldCause> told = {};      // each cause once
  std::string started = {}, ended = {};  // "2026-01-31T12:00:00Z"; empty: it is not known
  std::string status = {}, why = {};     // "done", "stopped", "failed", "running"
  int64_t batch_size = 0;
  int64_t planned_epochs = 0;
  bool is_shuffled = true;
  bool has_class_weights = false;
  double data_wait_share = 0;  // of the time of steps
  double seconds = 0;
  int64_t quarantined = 0;                // records that were left out
  std::vector<GrowingLine> growing = {};  // of a program; most bytes first
};

}  // namespace plimsoll
