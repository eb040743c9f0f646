// Phase: passes over data with a model's compiled steps, the full batch and the last.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "plimsoll/data/batches.h"
#include "plimsoll/train/batch_step.h"

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
  using MakeStep = std::function<BatchStep(int64_t batch)>;

  // Compiles the steps, the last batch's only if it will run, and reserves the buffers.
  Phase(std::string name, SourcePtr source, const BatchChoice& choice, bool runs_last,
        const MakeStep& make_step);

  const std::string& name() const { return name_; }
  Batches& batches() { return batches_; }
  const BatchStep& step() const { return full_; }
  // Loads a batch, binds it and runs its steps; returns the last that ran. An error names the
  // batch.
  CompiledStep& run(int64_t batch);

 private:
  // Loads and runs each part.
  void run_parts(int64_t batch, const BatchStep& step, const BatchStep::Pair& steps);
  std::string place(int64_t batch, int64_t first, int64_t count) const;

  std::string name_;
  BatchStep full_, last_;
  Batches batches_;
  PartPlace place_;  // of the part that runs
};

}  // namespace plimsoll
