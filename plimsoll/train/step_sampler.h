// StepSampler: looks at some steps of a training and shows callbacks what it saw.
#pragma once

#include "plimsoll/guards/statistics/statistics_watch.h"
#include "plimsoll/train/callbacks/callback.h"
#include "plimsoll/train/steps/bucket_passes.h"

namespace plimsoll {

class StepSampler {
 public:
  // The steps are compiled. The optimizer must outlive it.
  StepSampler(const Network& network, const Optimizer& optimizer, const BucketPasses& train);

  // Before a batch, the `step`-th of the training: the watch to run it with, or null if it is none
  // of those that are looked at.
  StepWatch* begin(int64_t step);
  // After a batch that was run with the watch.
  void end(const Callbacks& callbacks, TrainingState& state);

  // Which steps it looks at.
  void save_state(StateWriter& to) const;
  void load_state(const StateReader& from);

 private:
  double learning_rate() const;

  const Optimizer& optimizer_;
  StatisticsWatch watch_;
  SampledSteps steps_;
  int64_t step_ = 0;
  double learning_rate_ = 0;  // of that step
};

}  // namespace plimsoll
