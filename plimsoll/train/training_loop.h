// TrainingLoop: the epochs of a run of fit, once everything is planned.
#pragma once

#include <optional>

#include "plimsoll/train/callbacks/history.h"
#include "plimsoll/train/data/epoch_batches.h"
#include "plimsoll/train/evaluation.h"
#include "plimsoll/train/fit_options.h"

namespace plimsoll {

// The mean of all steps but the first, which takes the arena's memory too.
class StepTime {
 public:
  void add(double seconds) {
    ++count_;
    (count_ == 1 ? first_ : rest_) += seconds;
  }
  double total() const { return first_ + rest_; }
  double mean() const { return count_ > 1 ? rest_ / static_cast<double>(count_ - 1) : first_; }

 private:
  int64_t count_ = 0;
  double first_ = 0, rest_ = 0;
};

class TrainingLoop {
 public:
  // All that is referred to must outlive it; `validation` may be null.
  TrainingLoop(Model& model, ModelSteps& steps, const FitOptions& options,
               const Callbacks& callbacks, BucketPasses& train, Evaluation* validation);

  // `memory` is what was planned.
  History run(const MemoryPlan& memory);

 private:
  void tell(void (Callback::*hook)(TrainingState&));
  void run_epoch(int64_t epoch, EpochBatches& batches);
  void warn_of_end(const EpochBatches::Range& range);
  void run_batch();
  void finish_epoch(int64_t epoch);

  ModelSteps& steps_;
  const FitOptions& options_;
  const Callbacks& callbacks_;
  BucketPasses& train_;
  Evaluation* validation_;
  TrainingState state_, test_state_;  // of training and of its validations
  bool is_finite_ = true;             // every batch of this epoch was
  bool has_warned_ = false;           // of data that ends early
  StepTime step_time_;
  History history_;
};

}  // namespace plimsoll
