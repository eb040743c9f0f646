#include "plimsoll/train/steps/phase_group.h"

#include <algorithm>
#include <utility>

namespace plimsoll {

PhaseGroup::PhaseGroup(std::vector<std::unique_ptr<Phase>> phases, std::optional<int64_t> seed)
    : phases_(std::move(phases)), seed_(seed) {}

int64_t PhaseGroup::batch_count() const {
  int64_t count = 0;
  for (const auto& phase : phases_) count += phase->loader().batch_count();
  return count;
}

void PhaseGroup::start_epoch(int64_t epoch) {
  ends_.clear();
  int64_t end = 0;
  for (const auto& phase : phases_) {
    ends_.push_back(end += phase->loader().batch_count());
    phase->loader().start_epoch(epoch);
  }
  batch_ = 0;
  order_.reset();
  if (seed_ && phases_.size() > 1) order_.emplace(end, shuffle_key(*seed_, epoch));
}

size_t PhaseGroup::bucket_of(int64_t batch) const {
  const int64_t at = order_ ? (*order_)(batch) : batch;
  return static_cast<size_t>(std::ranges::upper_bound(ends_, at) - ends_.begin());
}

// A bucket may end early, where records turn out to be bad.
int64_t PhaseGroup::begin_batch() {
  while (batch_ < ends_.back()) {
    current_ = bucket_of(batch_++);
    if (const int64_t records = phases_[current_]->begin_batch(); records > 0) return records;
  }
  return 0;
}

std::vector<const BatchStep*> PhaseGroup::steps() const {
  std::vector<const BatchStep*> steps;
  for (const auto& phase : phases_) steps.push_back(&phase->step());
  std::ranges::reverse(steps);
  return steps;
}

std::vector<Loader*> PhaseGroup::loaders() const {
  std::vector<Loader*> loaders;
  for (const auto& phase : phases_) loaders.push_back(&phase->loader());
  return loaders;
}

double PhaseGroup::waited_seconds() const {
  double seconds = 0;
  for (const auto& phase : phases_) seconds += phase->loader().waited_seconds();
  return seconds;
}

std::vector<SourcePtr> sources_of(const Dataset& data) {
  return data.buckets.empty() ? std::vector{data.source} : data.buckets;
}

}  // namespace plimsoll
