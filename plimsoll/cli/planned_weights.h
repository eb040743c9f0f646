// PlannedWeights: what a command that runs a model takes before its first batch. Reading the model
// and planning are guarded; weights get their values once the plan is known to fit.
#pragma once

#include <optional>

#include "plimsoll/cli/heap_guard.h"
#include "plimsoll/train/callbacks/callback.h"
#include "plimsoll/train/files/weight_load.h"

namespace plimsoll::cli {

class PlannedWeights final : public Callback {
 public:
  PlannedWeights() { guard_.emplace(); }

  // To be filled when the model is loaded.
  WeightLoad& values() { return values_; }

  void on_test_begin(TrainingState&) override { take(); }
  void on_predict_begin(TrainingState&) override { take(); }

 private:
  void take() {
    guard_.reset();
    values_.run();
  }

  std::optional<HeapGuard> guard_;
  WeightLoad values_;
};

}  // namespace plimsoll::cli
