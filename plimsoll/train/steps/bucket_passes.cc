#include "plimsoll/train/steps/bucket_passes.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "plimsoll/base/error.h"

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
  mix_buckets(epoch);
}

void BucketPasses::mix_buckets(int64_t epoch) {
  epoch_ = epoch;
  order_.reset();
  if (seed_ && passes_.size() > 1) order_.emplace(ends_.back(), shuffle_key(*seed_, epoch));
}

void BucketPasses::save_state(StateWriter& to) const {
  to.number("epoch", epoch_);
  to.number("batch", batch_);
  to.numbers("ends", ends_);
  for (size_t i = 0; i < passes_.size(); ++i) {
    StateWriter bucket = to.within(fmt::format("bucket-{}", i));
    passes_[i]->loader().save_state(bucket);
  }
}

void BucketPasses::load_state(const StateReader& from) {
  ends_ = from.numbers("ends");
  if (ends_.size() != passes_.size())
    throw CorruptFile(fmt::format("{}: it has {} buckets of data, expected {}", from.path(),
                                  ends_.size(), passes_.size()));
  batch_ = from.number("batch");
  mix_buckets(from.number("epoch"));
  for (size_t i = 0; i < passes_.size(); ++i)
    passes_[i]->loader().load_state(from.within(fmt::format("bucket-{}", i)));
}

size_t BucketPasses::bucket_of(int64_t batch) const {
  const int64_t at = order_ ? (*order_)(batch) : batch;
  return static_cast<size_t>(std::ranges::upper_bound(ends_, at) - ends_.begin());
}

// A bucket may end early, where records turn out to be bad.
int64_t BucketPasses::begin_batch() {
  while (batch_ < ends_.back()) {
    current_ = bucket_of(batch_++);
    const int64_t records = passes_[current_]->begin_batch();
    if (records > 0 || passes_.size() == 1) return records;
  }
  return 0;
}

std::optional<int64_t> BucketPasses::expected_batches() const {
  return is_stream() ? passes_[0]->loader().expected_batches() : batch_count();
}

std::vector<BatchReader*> BucketPasses::loaders() const {
  std::vector<BatchReader*> loaders;
  for (const auto& pass : passes_) loaders.push_back(&pass->loader());
  return loaders;
}

std::vector<const BatchStep*> BucketPasses::steps() const {
  std::vector<const BatchStep*> steps;
  for (const auto& pass : passes_) {
    steps.push_back(&pass->last_step());
    steps.push_back(&pass->step());
  }
  return steps;
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
