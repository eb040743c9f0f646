// Phase: passes over data with a model's compiled steps, the full batch and the last.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "plimsoll/data/batches.h"
#include "plimsoll/train/model_steps.h"

namespace plimsoll {

// How data is cut into batches. Without a size it is 32, or what makes as many batches as there are
// steps.
struct BatchChoice {
  std::optional<int64_t> size = {};
  std::optional<int64_t> steps = {};  // no more batches than this

  int64_t size_for(int64_t records) const;
};

class Phase {
 public:
  using MakeStep = std::function<ModelSteps::StepPtr(int64_t batch)>;

  // Allocates the batch buffers and compiles the steps; the last batch's only if it will run.
  Phase(std::string name, SourcePtr source, const BatchChoice& choice, bool runs_last,
        const MakeStep& make_step);

  const std::string& name() const { return name_; }
  Batches& batches() { return batches_; }
  const CompiledStep& step() const { return *full_; }
  // Loads a batch, binds it, runs its step and returns it. An error names the batch.
  CompiledStep& run(int64_t batch);

 private:
  std::string place(int64_t batch) const;

  std::string name_;
  Batches batches_;
  ModelSteps::StepPtr full_, last_;
};

}  // namespace plimsoll
