// BusyMachine: whether other work takes the cores from the threads that compute. While it does, the
// threads of the team wait shortly (base/short_waits.h).
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <vector>

#include "plimsoll/base/short_waits.h"

namespace plimsoll {

// Decides how the threads of a team wait. Long waits are given up as soon as the threads wait for a
// core themselves, and tried again after a pause, which doubles each time that the machine is found
// to be busy still: how long a thread waits for a core says little while it often sleeps.
class BusyJudge {
 public:
  static constexpr double kWindowSeconds = 0.4;
  static constexpr double kBusyShare = 0.25;  // of a window, summed over the threads
  static constexpr double kTrialSeconds = 1;
  static constexpr double kFirstPause = 2, kLongestPause = 8;

  // What has passed since the last call, and how much of it the threads waited for a core. Returns
  // whether the machine is busy.
  bool add(double seconds, double waited_seconds);

 private:
  bool is_busy_ = false;
  double seconds_ = kTrialSeconds;  // since the machine was found to be busy, or a trial began
  double window_ = 0, waited_ = 0;
  double pause_ = kFirstPause;
};

// One per thread that runs steps.
class BusyMachine {
 public:
  // This thread's.
  static BusyMachine& current();

  BusyMachine();
  ~BusyMachine();
  BusyMachine(const BusyMachine&) = delete;
  BusyMachine& operator=(const BusyMachine&) = delete;

  // Call between operations. Costs the reading of a clock, and 20 times per second that of a file
  // per thread.
  void look() {
    if (const Clock::time_point now = Clock::now(); now >= next_look_) measure(now);
  }

 private:
  using Clock = std::chrono::steady_clock;

  void measure(Clock::time_point now);
  void open_files();
  void close_files();
  // How long the threads of the team have waited for a core since they began.
  int64_t waited_nanoseconds() const;

  std::vector<int> files_;  // the scheduler's figures of each thread of the team
  Clock::time_point last_look_ = {}, next_look_ = {};
  int64_t last_waited_ = 0;
  BusyJudge judge_;
  std::optional<ShortWaits> short_waits_;
};

}  // namespace plimsoll
