// EpochBatches: which batches of the data each epoch runs.
#pragma once

#include <cstdint>
#include <optional>

namespace plimsoll {

// Without a number of steps an epoch is the whole data. With one it goes on where the last epoch
// ended, and ends early where the data does; then the data begins again, in a new order.
class EpochBatches {
 public:
  EpochBatches(int64_t batches, std::optional<int64_t> steps_per_epoch, int64_t first_pass);

  struct Range {
    int64_t begin, end;
    int64_t pass;  // over the data: the number that its order depends on
    int64_t count() const { return end - begin; }
  };
  Range next();
  // The data ended within the range, as it has fewer batches than was known.
  void end_pass(const Range& range);

 private:
  int64_t batches_, steps_;
  int64_t position_ = 0, pass_;
};

}  // namespace plimsoll
