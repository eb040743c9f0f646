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

  // Batches of an epoch, as far as is known.
  int64_t batch_count() const;
  void start_epoch(int64_t epoch);
  // Goes on to the next batch and returns its records; 0: the epoch has ended.
  int64_t begin_batch();
  // Runs the steps of that batch, as DataPass does.
  CompiledStep& run_batch() { return passes_[current_]->run_batch(); }

  std::vector<Loader*> loaders() const;
  const Source& source() const { return loaders()[0]->source(); }
  double waited_seconds() const;

 private:
  // The bucket of a batch of the epoch.
  size_t bucket_of(int64_t batch) const;

  std::vector<std::unique_ptr<DataPass>> passes_;
  std::optional<int64_t> seed_;
  std::optional<Permutation> order_;  // of the batches
  std::vector<int64_t> ends_;         // of each bucket's batches
  int64_t batch_ = 0;                 // that comes next
  size_t current_ = 0;                // the bucket of the batch that began
};

// A pass over each source of the data, which has one per bucket; `data` says the rest.
std::vector<PassData> passes_over(const Dataset& buckets, ModelSteps& steps, const PassData& data);

}  // namespace plimsoll
