// SIGINT, SIGTERM and SIGHUP end a command cleanly: after the current batch, with its files in
// order. SIGUSR1 asks a run for a checkpoint.
#pragma once

#include "plimsoll/base/error.h"
#include "plimsoll/train/callbacks/callback.h"

namespace plimsoll::cli {

// Thrown after the batch in which the signal came.
class Stopped : public Error {
 public:
  explicit Stopped(int number);
  int signal() const { return signal_; }

 private:
  int signal_;
};

// While one exists, a first signal is only noted; a second SIGINT or SIGTERM ends the process at
// once.
class StopSignals {
 public:
  StopSignals();
  ~StopSignals();
  StopSignals(const StopSignals&) = delete;
  StopSignals& operator=(const StopSignals&) = delete;

  // The number of the signal that came; 0: none.
  static int received();
  // Throws Stopped where a signal came.
  static void check();
  // True if SIGUSR1 came since this was last asked.
  static bool take_checkpoint_wish();
};

// Looks for a signal after each batch.
class StopAfterBatch final : public Callback {
 public:
  void on_train_batch_end(TrainingState&) override { StopSignals::check(); }
  void on_test_batch_end(TrainingState&) override { StopSignals::check(); }
  void on_predict_batch_end(TrainingState&) override { StopSignals::check(); }
};

}  // namespace plimsoll::cli
