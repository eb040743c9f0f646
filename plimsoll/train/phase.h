// Phase: one pass over data with a model's compiled steps, the full batch and the last.
#pragma once

#include <functional>
#include <string>
#include <utility>

#include "plimsoll/data/batches.h"
#include "plimsoll/train/model_steps.h"

namespace plimsoll {

class Phase {
 public:
  using MakeStep = std::function<ModelSteps::StepPtr(const Specs& fields, int64_t batch)>;

  // Allocates the batch buffers and compiles the steps.
  Phase(std::string name, SourcePtr source, int64_t batch_size, const MakeStep& make_step);

  const std::string& name() const { return name_; }
  Batches& batches() { return batches_; }
  const CompiledStep& step() const { return *full_; }
  // Loads a batch, binds it, runs its step and returns it. An error names the batch.
  CompiledStep& run(int64_t batch);

  int64_t arena_bytes() const;

 private:
  std::string place(int64_t batch) const;

  std::string name_;
  Batches batches_;
  ModelSteps::StepPtr full_, last_;
};

}  // namespace plimsoll
