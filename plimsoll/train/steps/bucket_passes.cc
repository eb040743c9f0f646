#include "plimsoll/train/steps/bucket_passes.h"

#include <algorithm>
#include <utility>

namespace plimsoll {

BucketPasses::BucketPasses(ModelSteps& steps, std::vector<PassPlan> plans,
                           std::optional<int64_t> seed)
    : seed_(seed) {
  for (PassPlan& plan : plans)
    passes_.push_back(std::make_unique<DataPass>(steps, std::move(plan)));
}

int64_t BucketPasses::batch_count() const {
  int64_t count = 0;
  for (const auto& pass : passes_) count += pass->loader().batch_count();
  return count;
}

void BucketPasses::start_epoch(int64_t epoch) {
  ends_.clear();
  int64_t end = 0;
  for (const auto& pass : passes_) {
    ends_.push_back(end += pass->loader().batch_count());
    pass->loader().start_epoch(epoch);
  }
  batch_ = 0;
  order_.reset();
  if (seed_ && passes_.size() > 1) order_.emplace(end, shuffle_key(*seed_, epoch));
}

size_t BucketPasses::bucket_of(int64_t batch) const {
  const int64_t at = order_ ? (*order_)(batch) : batch;
  return static_cast<size_t>(std::ranges::upper_bound(ends_, at) - ends_.begin());
}

// A bucket may end early, where records turn out to be bad.
int64_t BucketPasses::begin_batch() {
  while (batch_ < ends_.back()) {
    current_ = bucket_of(batch_++);
    if (const int64_t records = passes_[current_]->begin_batch(); records > 0) return records;
  }
  return 0;
}

std::vector<Loader*> BucketPasses::loaders() const {
  std::vector<Loader*> loaders;
  for (const auto& pass : passes_) loaders.push_back(&pass->loader());
  return loaders;
}

double BucketPasses::waited_seconds() const {
  double seconds = 0;
  for (const auto& pass : passes_) seconds += pass->loader().waited_seconds();
  return seconds;
}

std::vector<PassData> passes_over(const Dataset& buckets, ModelSteps& steps, const PassData& data) {
  std::vector<PassData> passes;
  for (const SourcePtr& source :
       buckets.buckets.empty() ? std::vector{buckets.source} : buckets.buckets) {
    passes.push_back(data);
    passes.back().fields = steps.fields_of(source->fields(), buckets);
    passes.back().source = source;
  }
  return passes;
}

}  // namespace plimsoll
