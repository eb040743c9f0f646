#include "plimsoll/train/callbacks/learning_rate_scheduler.h"

#include <fmt/format.h>

#include <cmath>
#include <cstdio>
#include <utility>

#include "plimsoll/base/error.h"

namespace plimsoll {

LearningRateScheduler::LearningRateScheduler(EpochSchedule schedule,
                                             const LearningRateSchedulerOptions& options)
    : schedule_(std::move(schedule)), options_(options) {
  if (!schedule_) throw InvalidArgument("LearningRateScheduler: there is no function");
}

void LearningRateScheduler::on_epoch_begin(TrainingState& state) {
  const double rate = schedule_(state.epoch, state.learning_rate());
  if (!std::isfinite(rate) || rate < 0)
    throw InvalidArgument(
        fmt::format("LearningRateScheduler: the function gave {} for epoch {}, expected a finite "
                    "number that is not negative",
                    rate, state.epoch));
  state.set_learning_rate(rate);
  if (options_.verbose == 0) return;
  char text[80];
  std::snprintf(text, sizeof text, "Epoch %lld: the learning rate is %.6g",
                static_cast<long long>(state.epoch + 1), rate);
  state.say(text);
}

void LearningRateScheduler::on_epoch_end(TrainingState& state) {
  state.logs()["learning_rate"] = state.learning_rate();
}

}  // namespace plimsoll
