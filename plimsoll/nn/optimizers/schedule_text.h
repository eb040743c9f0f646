// Schedules as a person writes them, in epochs: "cosine", "cosine,warmup=2", "step,every=10".
#pragma once

#include <map>
#include <string>
#include <vector>

#include "plimsoll/nn/optimizers/schedule.h"

namespace plimsoll {

// A kind of schedule and its numbers, those that were not given at their defaults.
struct ScheduleText {
  std::string kind;
  std::map<std::string, double> numbers = {};
  std::vector<double> epochs = {};  // of piecewise: after which the rate falls

  double operator[](const std::string& key) const { return numbers.at(key); }
};

// Reads
//   cosine[,warmup=EPOCHS][,end=RATE]     as half a wave down to the end (0) at the last epoch
//   polynomial[,end=RATE][,power=X]       down to the end (0) by a power (1: in a line)
//   exponential[,factor=X][,every=EPOCHS] times the factor (0.9) per epoch, a little each step
//   step,every=EPOCHS[,factor=X]          times the factor (0.1) at once
//   piecewise,at=EPOCH:EPOCH[,factor=X]   times the factor (0.1) after each of these epochs
//   plateau[,patience=EPOCHS][,factor=X]  times the factor (0.1) where the loss got no better in so
//                                         many epochs (2): ReduceLROnPlateau, which is no Schedule
// InvalidArgument, naming what is known, for anything else.
ScheduleText parse_schedule(const std::string& text);

// One line for a help page.
std::string schedule_kinds();

// The run that a schedule is for.
struct ScheduledRun {
  double learning_rate = 0;  // at its beginning; with warmup, at its end
  int64_t steps_per_epoch = 0;
  int64_t epochs = 0;
};

// One of Keras's schedules, so that a saved model has it. Not for plateau. InvalidArgument where it
// would change nothing in this run, or where the warm-up is not shorter than it.
Schedule schedule_for(const ScheduleText& text, const ScheduledRun& run);

}  // namespace plimsoll
