#include "plimsoll/train/data/epoch_batches.h"

#include <algorithm>

namespace plimsoll {

EpochBatches::Range EpochBatches::next(int64_t batches) {
  if (position_ >= batches) end_pass({0, 0, pass_});
  const Range range{position_, std::min(position_ + steps_.value_or(batches), batches), pass_};
  position_ = range.end;
  if (position_ == batches) {
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
