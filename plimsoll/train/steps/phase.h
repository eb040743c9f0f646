// Phase: passes over data with a model's compiled steps, the full batch and the last.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "plimsoll/data/loader/loader.h"
#include "plimsoll/train/data/reading_options.h"
#include "plimsoll/train/steps/batch_step.h"

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
        MakeStep make_step, const ReadingOptions& reading = {});

  const std::string& name() const { return name_; }
  Loader& loader() { return *loader_; }
  const BatchStep& step() const { return full_; }
  // Goes on to the next batch of the epoch that the loader was started with, and returns its
  // records; 0: it has ended.
  int64_t begin_batch() { return loader_->begin_batch(); }
  // Loads that batch, binds it and runs its steps; returns the last that ran. An error names the
  // batch.
  CompiledStep& run_batch();

 private:
  const BatchStep& step_for(int64_t records);
  // Loads and runs each part.
  void run_parts(const BatchStep& step, const BatchStep::Pair& steps);
  std::string place(int64_t first, int64_t count) const;

  std::string name_;
  MakeStep make_step_;
  BatchStep full_, last_;
  std::unique_ptr<Loader> loader_;
  PartPlace place_;  // of the part that runs
};

}  // namespace plimsoll
