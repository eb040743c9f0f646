// DataPass: passes over data with a model's compiled steps, those of the full batch and of the
// last.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "plimsoll/data/loader/loader.h"
#include "plimsoll/data/loader/stream_loader.h"
#include "plimsoll/train/data/reading_options.h"
#include "plimsoll/train/steps/bad_batch.h"
#include "plimsoll/train/steps/model_steps.h"

namespace plimsoll {

// How data is cut into batches. Without a size it is 32, or what makes as many batches as there are
// steps.
struct BatchChoice {
  std::optional<int64_t> size = {};
  std::optional<int64_t> steps = {};  // no more batches than this

  int64_t size_for(int64_t records) const;
};

// What a pass runs on.
struct PassData {
  std::string name;  // "train": errors begin with it
  StepKind kind = StepKind::train;
  RecordFields fields;
  BatchChoice choice = {};
  SourcePtr source = {};  // null: records that are only planned, choice.size of them in a batch
  bool runs_last = true;  // the last, smaller batch too
  ReadingOptions reading = {};
};

// Samples of its full batches.
int64_t batch_size_of(const PassData& data);
// True if the last batch that it runs is smaller than the others.
bool has_smaller_last(const PassData& data);

// A pass whose memory is known: its steps are compiled, its loader is not made.
struct PassPlan {
  PassData data;
  BatchStep full, last;  // of a stream: of its first batch, and of the last batch unlike it
  LoaderOptions loading;
  int64_t loader_bytes = 0;
  // Holds batches of a stream that are larger than all before to the budget of the run; data.source
  // is null. Without it they are compiled as the others were.
  std::function<BatchStep(const PassData&)> hold_larger = {};
};

PassPlan plan_pass(ModelSteps& steps, const PassData& data, const Saving& saving);
// What the outputs of a batch take, which are not in the arena.
int64_t output_bytes_of(const PassPlan& plan);

class DataPass {
 public:
  // Makes the loader. The steps must outlive it.
  DataPass(ModelSteps& steps, PassPlan plan);
  // With steps that save memory as the last ones did.
  DataPass(ModelSteps& steps, const PassData& data)
      : DataPass(steps, plan_pass(steps, data, steps.saving())) {}

  BatchReader& loader() { return *loader_; }
  const BatchStep& step() const { return plan_.full; }
  const BatchStep& last_step() const { return plan_.last; }
  // Goes on to the next batch of the epoch that the loader was started with, and returns its
  // records; 0: it has ended.
  int64_t begin_batch() { return loader_->begin_batch(); }
  // Batches of a stream that were given as a whole.
  int64_t whole_batches() const { return stream_->whole_batches(); }
  // Loads that batch, binds it and runs its steps; returns the last that ran. An error names the
  // batch. A watch is shown the instructions of all of them but those of the divisors.
  CompiledStep& run_batch(StepWatch* watch = nullptr);
  // After a batch whose loss or gradients are not finite, and that changed no weight: where that
  // began. Loads the batch again, part by part, and takes no more memory than its steps did, if
  // that can be. Nothing if it is not found again.
  std::optional<BadBatch> find_bad_batch();
  // Right after it was found.
  void save_bad_batch(StateWriter& to, const BadBatch& bad) const;

 private:
  const BatchStep& step_for(int64_t records);
  const BatchStep& step_of_stream(int64_t records);
  // Loads and runs each part.
  void run_parts(const BatchStep& step, const BatchStep::Pair& steps, StepWatch* watch);
  std::string place(int64_t first, int64_t count) const;

  ModelSteps& steps_;
  PassPlan plan_;
  std::unique_ptr<BatchReader> loader_;
  StreamLoader* stream_ = nullptr;  // the loader, if it is one
  Specs last_fields_;               // of plan_.last, in a stream
  PartPlace place_;                 // of the part that runs
};

}  // namespace plimsoll
