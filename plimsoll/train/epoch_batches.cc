#include "plimsoll/train/epoch_batches.h"

#include <algorithm>

namespace plimsoll {

EpochBatches::EpochBatches(int64_t batches, std::optional<int64_t> steps_per_epoch,
                           int64_t first_pass)
    : batches_(batches), steps_(steps_per_epoch.value_or(batches)), pass_(first_pass) {}

EpochBatches::Range EpochBatches::next() {
  const Range range{position_, std::min(position_ + steps_, batches_), pass_};
  position_ = range.end;
  if (position_ == batches_) {
    position_ = 0;
    ++pass_;
  }
  return range;
}

void EpochBatches::end_pass(const Range& range) {
  if (pass_ != range.pass) return;
  position_ = 0;
  ++pass_;
}

}  // namespace plimsoll
