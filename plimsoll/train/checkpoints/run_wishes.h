// RunWishes: what is asked of a run of fit from outside, by signals, by its time and by its
// program.
#pragma once

#include <chrono>
#include <functional>
#include <optional>

#include "plimsoll/base/stop_signals.h"
#include "plimsoll/train/fit_options.h"

namespace plimsoll {

class RunWishes {
 public:
  // The time of the run begins, and its signals are taken. InvalidArgument where max_time is no
  // time.
  explicit RunWishes(const FitOptions& options);

  // True if SIGTERM and SIGUSR1, with which plimsoll serve asks, come here and not to the program.
  bool takes_signals() const;
  // What is wanted after this batch. The end of the run's time may be left for later.
  CheckpointWish next(bool may_end_in_time = true) const;
  // Throws what says why the run stops: Stopped, OutOfTime, or Interrupted if the program wants it.
  [[noreturn]] void stop() const;
  // The run is done. Throws Stopped if a signal came after it last looked: without fit, it would
  // have ended the program.
  void end() const;

 private:
  using Clock = std::chrono::steady_clock;
  bool is_signalled() const { return signals_ && StopSignals::received() != 0; }
  bool is_time_over() const;

  std::function<CheckpointWish()> program_wish_;  // may be empty
  std::optional<double> most_seconds_;
  Clock::time_point begin_ = Clock::now();
  std::optional<StopSignals> signals_;  // none: the run takes none
};

}  // namespace plimsoll
