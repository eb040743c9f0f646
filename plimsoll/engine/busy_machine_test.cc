#include "plimsoll/engine/busy_machine.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <thread>

#include "plimsoll/base/threads.h"

namespace plimsoll {
namespace {

// Adds windows until the answer is `wanted`; returns the seconds that passed.
double seconds_until(BusyJudge& judge, bool wanted, double waited_share) {
  constexpr double kStep = 0.05;
  double seconds = kStep;
  while (judge.add(kStep, kStep * waited_share) != wanted && seconds < 100) seconds += kStep;
  return seconds;
}

TEST(BusyJudge, TakesAMachineToBeFreeUntilThreadsWait) {
  BusyJudge judge;
  EXPECT_GT(seconds_until(judge, true, 0.2), 99);
  EXPECT_LT(seconds_until(judge, true, 0.5), BusyJudge::kWindowSeconds + 0.051);
}

TEST(BusyJudge, TriesABusyMachineAgainAfterPausesThatDouble) {
  BusyJudge judge;
  seconds_until(judge, true, 0.5);
  for (const double pause : {2, 4, 8, 8}) {
    EXPECT_NEAR(seconds_until(judge, false, 0), pause, 0.051);
    EXPECT_NEAR(seconds_until(judge, true, 0.5), BusyJudge::kWindowSeconds, 0.051);
  }
}

TEST(BusyJudge, BeginsWithTheFirstPauseAfterAFreeWhile) {
  BusyJudge judge;
  for (int i = 0; i < 5; ++i) {
    seconds_until(judge, true, 0.5);
    seconds_until(judge, false, 0);
  }
  for (double seconds = 0; seconds < 2 * BusyJudge::kTrialSeconds; seconds += 0.05)
    EXPECT_FALSE(judge.add(0.05, 0));
  seconds_until(judge, true, 0.5);
  EXPECT_NEAR(seconds_until(judge, false, 0), BusyJudge::kFirstPause, 0.051);
}

int64_t threads_of_process() {
  int64_t count = 0;
  for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator("/proc/self/task"))
    ++count;
  return count;
}

// A thread leaves the process a moment after it was asked to.
bool has_at_most(int64_t threads) {
  for (int i = 0; i < 1000 && threads_of_process() > threads; ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  return threads_of_process() <= threads;
}

TEST(ShortWaits, KeepMoreThreadsThanCoresWhileOneOfThemExists) {
  parallel_for(1 << 20, 1, [](int64_t, int64_t) {});  // the team that computes
  const int64_t before = threads_of_process();
  {
    const ShortWaits first;
    const int64_t with_one = threads_of_process();
    EXPECT_GT(with_one, static_cast<int64_t>(std::thread::hardware_concurrency()));
    const ShortWaits second;
    EXPECT_EQ(threads_of_process(), with_one);
  }
  EXPECT_TRUE(has_at_most(before));
}

}  // namespace
}  // namespace plimsoll
