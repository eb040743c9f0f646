// Evaluation: the loss and the metrics of a model over data.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "plimsoll/train/callbacks/callback.h"
#include "plimsoll/train/steps/bucket_passes.h"

namespace plimsoll {

// What an evaluation runs on, one per bucket. InvalidArgument where data and model do not go
// together.
std::vector<PassData> evaluation_passes(const std::string& name, ModelSteps& steps,
                                        const Dataset& data, const BatchChoice& choice,
                                        const ReadingOptions& reading);

class Evaluation {
 public:
  // Of no more batches than `most`.
  Evaluation(ModelSteps& steps, std::vector<PassPlan> plans, std::optional<int64_t> most);

  BucketPasses& passes() { return passes_; }
  // Resets the metrics and runs every batch, and calls `after_batch` after each; state.logs() then
  // has the results.
  void run(const Callbacks& callbacks, TrainingState& state,
           const std::function<void()>& after_batch = {});

 private:
  const Objective& objective_;
  BucketPasses passes_;
  int64_t most_;  // batches that run, of those there are
};

}  // namespace plimsoll
