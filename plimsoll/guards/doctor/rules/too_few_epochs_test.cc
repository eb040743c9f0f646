#include <gtest/gtest.h>

#include "tests/support/sound_case.h"

namespace plimsoll {
namespace {

using testing::confidence_of;
using testing::first_cause;
using testing::has_learnt_nothing;
using testing::sound_case;

TEST(TooFewEpochs, FindsALossThatStillFalls) {
  TrainingCase it = sound_case();
  double loss = 1.0;
  for (EpochStory& epoch : it.run->epochs) epoch.metrics = {{"loss", loss *= 0.93}};
  it.data->targets[0].class_counts.clear();
  EXPECT_GT(confidence_of(it, "too_few_epochs"), 0.1);
  for (EpochStory& epoch : it.run->epochs) epoch.metrics = {{"loss", 0.5}};
  EXPECT_EQ(confidence_of(it, "too_few_epochs"), 0);
}

TEST(TooFewEpochs, FindsARunOfAFewSteps) {
  TrainingCase it = sound_case();
  has_learnt_nothing(it);
  it.run->epochs.resize(1);
  EXPECT_EQ(first_cause(it), "too_few_epochs");
}

TEST(TooFewEpochs, IsNoCauseOfARunThatHasFailed) {
  TrainingCase it = sound_case();
  has_learnt_nothing(it);
  it.run->epochs.resize(1);
  it.run->not_finite = NotFiniteStory{.epoch = 1, .batch = 1, .op = "log", .kind = "operation"};
  EXPECT_EQ(confidence_of(it, "too_few_epochs"), 0);
}

}  // namespace
}  // namespace plimsoll
