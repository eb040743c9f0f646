// SIGINT, SIGTERM and SIGHUP end a run cleanly: they are noted, and the run ends where it next
// looks, with its files in order. SIGUSR1 asks it for a checkpoint.
#pragma once

#include <csignal>
#include <utility>
#include <vector>

#include "plimsoll/base/error.h"

namespace plimsoll {

// A signal asked a run to stop.
class Stopped : public Interrupted {
 public:
  explicit Stopped(int number);
  int signal() const { return signal_; }

 private:
  int signal_;
};

// While one exists, a first signal is only noted; a second SIGINT or SIGTERM ends the process at
// once. Its end puts the handlers back that were there before. One that is made while another
// exists sees the same signals; handlers are those of the one that took them, so two should not end
// in another order than that of a stack. A child that is forked meanwhile is ended by them.
class StopSignals {
 public:
  enum class Take {
    all,        // those four, but for a SIGHUP that is ignored, as nohup has it
    unhandled,  // SIGTERM, SIGHUP and SIGUSR1, where the process has no handler and they would end
                // it; as one does at the end that came and was never thrown
  };
  explicit StopSignals(Take take = Take::all);
  ~StopSignals();
  StopSignals(const StopSignals&) = delete;
  StopSignals& operator=(const StopSignals&) = delete;

  // True if it has the handler of a signal.
  bool takes_any() const { return !taken_.empty(); }
  // True if the signal is noted, by this one or by one around it, and not by the program.
  static bool is_noted(int number);
  // The number of the signal that came; 0: none.
  static int received();
  // Throws Stopped where a signal came.
  static void check();
  // True if SIGUSR1 came since this was last asked.
  static bool take_checkpoint_wish();

 private:
  bool has_taken(int number) const;

  Take take_;
  std::vector<std::pair<int, struct sigaction>> taken_;  // each signal, and what it did before
};

}  // namespace plimsoll
