// TrainingState: the state of a run of fit, evaluate or predict, as callbacks see and steer it.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "plimsoll/graph/tensor.h"
#include "plimsoll/train/memory/memory_plan.h"

namespace plimsoll {

struct BadBatch;
class Model;
class Objective;

// Numbers by name: "loss", "accuracy", "val_loss", …
using Logs = std::map<std::string, double>;

struct MemoryUse {
  int64_t resident_bytes = 0;       // what the process holds now
  int64_t peak_resident_bytes = 0;  // the most it ever held
  int64_t planned_peak_bytes = 0;   // the most that fit will take; in fit, as the next three
  int64_t weight_bytes = 0;
  int64_t optimizer_bytes = 0;
  int64_t batch_bytes = 0;  // batch buffers
  int64_t arena_bytes = 0;  // activations, gradients, kernel scratch
};

class TrainingState {
 public:
  explicit TrainingState(Model& model);

  Model& model;
  bool& stop_training;       // the model's own: set it, and training ends after this batch
  int64_t epoch = 0;         // from 0
  int64_t epochs = 1;        // fit ends before this one
  int64_t batch = 0;         // from 0, in this epoch, evaluation or prediction
  int64_t batches = 0;       // that it has; 0: that is not known
  int64_t batches_done = 0;  // in it
  int64_t samples = 0;       // in the batches done
  double seconds = 0;        // since it began
  bool is_resumed = false;   // fit goes on from a checkpoint
  double step_seconds = 0;   // of a training step: the mean of all but the first, or the only one
  double wait_seconds = 0;   // that training steps have waited for data, in this process
  std::string_view unit = "samples";
  Tensors outputs = {};                 // in on_predict_batch_end: what the batch gave
  const MemoryPlan* plan = nullptr;     // in fit
  const BadBatch* bad_batch = nullptr;  // in on_not_finite: where it began, if that was found
  bool is_bad_batch_kept = false;       // and whether Model::replay can show it

  // What is known of this epoch or evaluation: after a batch the means over the batches done, at
  // the end of an epoch those of the validation too. What a callback writes here at the end of an
  // epoch is seen by the callbacks after it and kept in the history.
  Logs& logs();

  double learning_rate() const;
  void set_learning_rate(double value);
  MemoryUse memory() const;
  // A line for people, on standard output (a warning on standard error) when the batch has ended,
  // above a progress line.
  void say(const std::string& line) { said_ += line + "\n"; }
  void warn(const std::string& line) { warned_ += line + "\n"; }

  // For the loops: logs are read from the objective only when logs() is called.
  void expect_logs(const Objective& objective) { unread_ = &objective; }
  void set_logs(Logs logs);
  void print_said();

 private:
  Logs logs_;
  const Objective* unread_ = nullptr;  // what logs_ is to be read from
  std::string said_, warned_;
};

// Adds everything that the objective reports, under the prefix followed by its name.
void read_logs(const Objective& objective, Logs& into, const std::string& prefix = "");

}  // namespace plimsoll
