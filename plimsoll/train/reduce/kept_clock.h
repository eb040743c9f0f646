// KeptClock: while one exists, random numbers may be drawn with any seed; then they go on as if
// nothing had been drawn.
#pragma once

#include <cstring>
#include <span>

#include "plimsoll/nn/clock.h"

namespace plimsoll {

class KeptClock {
 public:
  KeptClock() : seed_(random_seed()) {
    std::memcpy(&step_, training_clock().step.data(), sizeof(step_));
  }
  ~KeptClock() {
    set_random_seed(seed_);
    training_clock().step.set_bytes(std::as_bytes(std::span(&step_, 1)));
  }
  KeptClock(const KeptClock&) = delete;
  KeptClock& operator=(const KeptClock&) = delete;

 private:
  int64_t seed_, step_ = 0;
};

}  // namespace plimsoll
