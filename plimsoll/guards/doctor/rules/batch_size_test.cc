#include <gtest/gtest.h>

#include "tests/support/sound_case.h"

namespace plimsoll {
namespace {

using testing::confidence_of;
using testing::first_cause;
using testing::has_learnt_nothing;
using testing::sound_case;

TEST(BatchSize, FindsARunOfFewStepsBecauseABatchHasEveryRecord) {
  TrainingCase it = sound_case();
  has_learnt_nothing(it);
  EXPECT_EQ(confidence_of(it, "batch_size"), 0);
  it.run->batch_size = 900;
  EXPECT_EQ(first_cause(it), "batch_size");
}

TEST(BatchSize, IsNoCauseWhereThereAreManySteps) {
  TrainingCase it = sound_case();
  has_learnt_nothing(it);
  it.run->batch_size = 900;
  while (it.run->epochs.size() < 500) it.run->epochs.push_back(it.run->epochs[0]);
  EXPECT_EQ(confidence_of(it, "batch_size"), 0);
}

// Normalised by a batch of one record, other records are off though these were learnt in part.
TEST(BatchSize, FindsBatchNormalizationOfOneRecordThoughSomethingWasLearnt) {
  TrainingCase it = sound_case();
  it.run->batch_size = 1;
  for (EpochStory& epoch : it.run->epochs) epoch.metrics = {{"loss", 0.6}, {"accuracy", 0.77}};
  EXPECT_EQ(first_cause(it), "");
  it.model.layers[0].normalizes_batch = true;
  EXPECT_EQ(first_cause(it), "batch_size");
  for (EpochStory& epoch : it.run->epochs) epoch.metrics = {{"loss", 0.01}, {"accuracy", 1}};
  EXPECT_EQ(first_cause(it), "");
}

}  // namespace
}  // namespace plimsoll
