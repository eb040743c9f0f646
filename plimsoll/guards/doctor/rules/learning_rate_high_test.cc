#include <gtest/gtest.h>

#include "tests/support/sound_case.h"

namespace plimsoll {
namespace {

using testing::confidence_of;
using testing::first_cause;
using testing::has_learnt_nothing;
using testing::sound_case;

TEST(LearningRateHigh, FindsARateFarAboveTheUsualOne) {
  TrainingCase it = sound_case();
  has_learnt_nothing(it);
  it.model.learning_rate = 1;
  EXPECT_EQ(first_cause(it), "learning_rate_high");
  it.run.reset();
  EXPECT_EQ(first_cause(it), "learning_rate_high");
}

TEST(LearningRateHigh, CountsMomentumAsWhatItAddsToTheRate) {
  TrainingCase it = sound_case();
  has_learnt_nothing(it);
  it.model.optimizer = "SGD";
  it.model.learning_rate = 0.2;
  const double plain = confidence_of(it, "learning_rate_high");
  it.model.momentum = 0.99;
  EXPECT_GT(confidence_of(it, "learning_rate_high"), plain + 0.2);
}

TEST(LearningRateHigh, IsNoCauseOfARunWhoseRateIsHighAndThatHasLearnt) {
  TrainingCase it = sound_case();
  it.model.learning_rate = 0.05;
  EXPECT_EQ(first_cause(it), "");
}

// A weight that an update has made infinite shows it more than an operation that overflows.
TEST(LearningRateHigh, IsShownByAnUpdateThatOverflows) {
  TrainingCase it = sound_case();
  has_learnt_nothing(it);
  it.model.optimizer = "SGD";
  it.model.learning_rate = 0.3;
  it.run->status = "failed";
  it.run->not_finite = NotFiniteStory{.epoch = 3, .batch = 2, .op = "matmul", .kind = "operation"};
  const double by_operation = confidence_of(it, "learning_rate_high");
  it.run->not_finite->op = it.run->not_finite->kind = "update";
  EXPECT_GT(confidence_of(it, "learning_rate_high"), by_operation);
  EXPECT_EQ(first_cause(it), "learning_rate_high");
}

}  // namespace
}  // namespace plimsoll
