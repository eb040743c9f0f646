#include "plimsoll/train/checkpoints/checkpoint_times.h"

#include <gtest/gtest.h>

namespace plimsoll {
namespace {

constexpr double kStep = 0.01;

struct Life {
  double done = 0;     // seconds of training that its newest checkpoint has
  double written = 0;  // seconds that its checkpoints took
  double lived = 0;    // until its newest checkpoint
};

// A process that is killed after so many seconds.
Life live(double seconds, double write_seconds, double lived_before) {
  CheckpointTimes times{.lived_before = lived_before};
  Life life;
  double trained = 0, last = 0;
  for (double now = 0; now < seconds;) {
    now += kStep;
    trained += kStep;
    if (!times.is_due(now, now - last, false)) continue;
    const double begun = now;
    now += write_seconds;
    if (now > seconds) break;
    life = {.done = trained, .written = life.written + write_seconds, .lived = begun};
    times.write = write_seconds;
    last = now;
  }
  return life;
}

// Of the time of 90 processes that live for 20 seconds each.
double progress(double write_seconds) {
  double done = 0, lived = 0;
  for (int process = 0; process < 90; ++process) {
    const Life life = live(20, write_seconds, lived);
    done += life.done;
    if (life.lived > 0) lived = life.lived;
  }
  return done / (90 * 20.0);
}

TEST(CheckpointTimes, LetARunGetOnThatIsKilledAgainAndAgain) {
  EXPECT_GE(progress(0.01), 0.95);
  EXPECT_GE(progress(0.05), 0.92);
  EXPECT_GE(progress(0.1), 0.9);
  // Here Young's formula says 78% and 55% at best.
  EXPECT_GE(progress(0.5), 0.74);
  EXPECT_GE(progress(2), 0.45);
}

TEST(CheckpointTimes, TakeTwoPercentOfARunThatIsLeftInPeace) {
  for (const double write_seconds : {0.01, 0.1, 1.0, 10.0}) {
    const double seconds = 400 * write_seconds + 300;
    // Of the first one it is not known how long it takes.
    EXPECT_LE(live(seconds, write_seconds, 0).written, 0.02 * seconds + write_seconds);
  }
}

TEST(CheckpointTimes, TakeMoreOnlyForAWhileAfterAKill) {
  for (const double lived_before : {0.5, 20.0, 500.0}) {
    const double seconds = 40 * (lived_before + 50);
    EXPECT_LE(live(seconds, 0.5, lived_before).written / seconds, 0.03) << lived_before;
  }
}

TEST(CheckpointTimes, WriteAfterTheGivenTimeAndAtEndsOfEpochs) {
  const CheckpointTimes times{.every = 60, .write = 0.01};
  EXPECT_FALSE(times.is_due(5000, 59, false));
  EXPECT_TRUE(times.is_due(5000, 60, false));
  EXPECT_TRUE(times.is_due(5000, 0.6, true));
  EXPECT_FALSE(times.is_due(5000, 0.4, true)) << "it would take more than 2% of the time";
  EXPECT_TRUE(times.is_due(20, 2.1, false)) << "a kill would cost more than a tenth";
}

}  // namespace
}  // namespace plimsoll
