// BucketPasses: data in buckets, each with steps of its own shapes. The batches of an epoch come
// from all of them; all data but that in buckets is a single one.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "plimsoll/data/stages/permutation.h"
#include "plimsoll/train/data/dataset.h"
#include "plimsoll/train/steps/data_pass.h"

namespace plimsoll {

class BucketPasses {
 public:
  // The shortest bucket first. With a seed, batches of different buckets are mixed, in another
  // order in each epoch.
  BucketPasses(ModelSteps& steps, std::vector<PassPlan> plans, std::optional<int64_t> seed);

  // Batches of an epoch, as far as is known; BatchReader::kNoEnd of a stream.
  int64_t batch_count() const;
  // How many an epoch will have, if there is a number to show.
  std::optional<int64_t> expected_batches() const;
  bool is_stream() const { return batch_count() == BatchReader::kNoEnd; }
  void start_epoch(int64_t epoch);
  // False if it is known that no batch is left.
  bool has_next() const { return passes_.size() > 1 || passes_[0]->loader().has_next(); }
  // Goes on to the next batch and returns its records; 0: the epoch has ended.
  int64_t begin_batch();
  // Runs the steps of that batch, as DataPass does.
  CompiledStep& run_batch(StepWatch* watch = nullptr) {
    return passes_[current_]->run_batch(watch);
  }
  // That it is planned for; those of the longest bucket's full batches are last.
  std::vector<const BatchStep*> steps() const;

  std::optional<BadBatch> find_bad_batch() { return passes_[current_]->find_bad_batch(); }
  void save_bad_batch(StateWriter& to, const BadBatch& bad) const {
    passes_[current_]->save_bad_batch(to, bad);
  }

  // Where the epoch goes on after the batch that ran last.
  void save_state(StateWriter& to) const;
  void load_state(const StateReader& from);

  std::vector<BatchReader*> loaders() const;
  const Specs& fields() const { return passes_[0]->loader().fields(); }
  double waited_seconds() const;

 private:
  void mix_buckets(int64_t epoch);
  // The bucket of a batch of the epoch.
  size_t bucket_of(int64_t batch) const;

  std::vector<std::unique_ptr<DataPass>> passes_;
  std::optional<int64_t> seed_;
  std::optional<Permutation> order_;  // of the batches
  std::vector<int64_t> ends_;         // of each bucket's batches
  int64_t epoch_ = 0;
  int64_t batch_ = 0;   // that comes next
  size_t current_ = 0;  // the bucket of the batch that began
};

// A pass over each source of the data, which has one per bucket; `data` says the rest.
std::vector<PassData> passes_over(const Dataset& buckets, ModelSteps& steps, const PassData& data);

}  // namespace plimsoll
