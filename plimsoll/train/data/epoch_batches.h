// EpochBatches: which batches of the data each epoch runs.
#pragma once

#include <cstdint>
#include <optional>

#include "plimsoll/formats/checkpoint/state.h"

namespace plimsoll {

// Without a number of steps an epoch is the whole data. With one it goes on where the last epoch
// ended, and ends early where the data does; then the data begins again, in a new order.
class EpochBatches {
 public:
  EpochBatches(std::optional<int64_t> steps_per_epoch, int64_t first_pass)
      : steps_(steps_per_epoch), pass_(first_pass) {}

  struct Range {
    int64_t begin, end;
    int64_t pass;  // over the data: the number that its order depends on
    int64_t count() const { return end - begin; }
  };
  // `batches`: how many the data has, as far as is known now.
  Range next(int64_t batches);
  // The data ended within the range, as it has fewer batches than was known.
  void end_pass(const Range& range);

  void save_state(StateWriter& to) const {
    to.number("position", position_);
    to.number("pass", pass_);
  }
  void load_state(const StateReader& from) {
    position_ = from.number("position");
    pass_ = from.number("pass");
  }

 private:
  std::optional<int64_t> steps_;
  int64_t position_ = 0, pass_;
};

}  // namespace plimsoll
