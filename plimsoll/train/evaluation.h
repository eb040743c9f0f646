// Evaluation: the loss and the metrics of a model over data.
#pragma once

#include "plimsoll/train/callbacks/callback.h"
#include "plimsoll/train/steps/model_steps.h"
#include "plimsoll/train/steps/phase_group.h"

namespace plimsoll {

class Evaluation {
 public:
  // Compiles; throws where data and model do not fit together.
  Evaluation(const std::string& name, ModelSteps& steps, const Dataset& data,
             const BatchChoice& choice, const ReadingOptions& reading);

  PhaseGroup& phases() { return phases_; }
  // Resets the metrics and runs every batch; state.logs() then has the results.
  void run(const Callbacks& callbacks, TrainingState& state);

 private:
  const Objective& objective_;
  PhaseGroup phases_;
  int64_t count_;  // batches that run
};

}  // namespace plimsoll
