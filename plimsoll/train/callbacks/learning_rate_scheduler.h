// LearningRateScheduler: sets the learning rate of each epoch by a function.
#pragma once

#include <cstdint>
#include <functional>

#include "plimsoll/train/callbacks/callback.h"

namespace plimsoll {

// (epoch from 0, rate now) -> rate of this epoch.
using EpochSchedule = std::function<double(int64_t epoch, double learning_rate)>;

struct LearningRateSchedulerOptions {
  int verbose = 0;
};

// Adds "learning_rate" to the logs. The optimizer must not have a schedule of its own.
class LearningRateScheduler final : public Callback {
 public:
  explicit LearningRateScheduler(EpochSchedule schedule,
                                 const LearningRateSchedulerOptions& options = {});

  void on_epoch_begin(TrainingState& state) override;
  void on_epoch_end(TrainingState& state) override;

 private:
  EpochSchedule schedule_;
  LearningRateSchedulerOptions options_;
};

}  // namespace plimsoll
