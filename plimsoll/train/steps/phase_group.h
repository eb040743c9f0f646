// PhaseGroup: data in buckets, each with steps of its own shapes. The batches of an epoch come from
// all of them; all data but that in buckets is a single one.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "plimsoll/data/stages/permutation.h"
#include "plimsoll/train/data/dataset.h"
#include "plimsoll/train/steps/phase.h"

namespace plimsoll {

class PhaseGroup {
 public:
  // The shortest bucket first. With a seed, batches of different buckets are mixed, in another
  // order in each epoch.
  PhaseGroup(std::vector<std::unique_ptr<Phase>> phases, std::optional<int64_t> seed);

  // Batches of an epoch, as far as is known.
  int64_t batch_count() const;
  void start_epoch(int64_t epoch);
  // Goes on to the next batch and returns its records; 0: the epoch has ended.
  int64_t begin_batch();
  // Runs the steps of that batch, as Phase does.
  CompiledStep& run_batch() { return phases_[current_]->run_batch(); }

  // The longest bucket's comes first, which is the largest.
  std::vector<const BatchStep*> steps() const;
  std::vector<Loader*> loaders() const;
  const Source& source() const { return loaders()[0]->source(); }
  double waited_seconds() const;

 private:
  // The bucket of a batch of the epoch.
  size_t bucket_of(int64_t batch) const;

  std::vector<std::unique_ptr<Phase>> phases_;
  std::optional<int64_t> seed_;
  std::optional<Permutation> order_;  // of the batches
  std::vector<int64_t> ends_;         // of each bucket's batches
  int64_t batch_ = 0;                 // that comes next
  size_t current_ = 0;                // the bucket of the batch that began
};

// The sources of the data, one a bucket.
std::vector<SourcePtr> sources_of(const Dataset& data);

}  // namespace plimsoll
