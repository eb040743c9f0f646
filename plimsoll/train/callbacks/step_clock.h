// StepClock: how long the steps of an epoch take, and how long their thread waits for a core.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>

#include "plimsoll/base/core_wait.h"

namespace plimsoll {

class StepClock {
 public:
  struct Times {
    double step_seconds = 0;       // the mean of all steps but the slowest
    double slowest_seconds = 0;    // of a step
    double core_wait_seconds = 0;  // of all that was done since the last epoch ended
  };

  void begin() { start_ = Clock::now(); }
  void end() {
    const double seconds = std::chrono::duration<double>(Clock::now() - start_).count();
    sum_ += seconds;
    slowest_ = std::max(slowest_, seconds);
    ++count_;
  }
  // Of the epoch that ends now; the next one begins.
  Times take() {
    const double waited = plimsoll::core_wait_seconds();
    const double others = count_ > 1 ? (sum_ - slowest_) / static_cast<double>(count_ - 1) : sum_;
    const Times times{others, slowest_, waited - waited_};
    *this = {};
    waited_ = waited;
    return times;
  }

 private:
  using Clock = std::chrono::steady_clock;

  Clock::time_point start_ = {};
  double sum_ = 0, slowest_ = 0;
  int64_t count_ = 0;
  double waited_ = plimsoll::core_wait_seconds();
};

}  // namespace plimsoll
