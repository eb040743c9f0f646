// Ends a command after the batch in which a signal came.
#pragma once

#include "plimsoll/base/stop_signals.h"
#include "plimsoll/train/callbacks/callback.h"

namespace plimsoll::cli {

class StopAfterBatch final : public Callback {
 public:
  void on_train_batch_end(TrainingState&) override { StopSignals::check(); }
  void on_test_batch_end(TrainingState&) override { StopSignals::check(); }
  void on_predict_batch_end(TrainingState&) override { StopSignals::check(); }
};

}  // namespace plimsoll::cli
