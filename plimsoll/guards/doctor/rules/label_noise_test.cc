#include <gtest/gtest.h>

#include "tests/support/sound_case.h"

namespace plimsoll {
namespace {

using testing::confidence_of;
using testing::first_cause;
using testing::has_learnt_nothing;
using testing::sound_case;

TEST(LabelNoise, IsFoundWhereNeitherTheRunNorTheMostSimilarRecordsPredictAnything) {
  TrainingCase it = sound_case();
  has_learnt_nothing(it);
  EXPECT_EQ(confidence_of(it, "label_noise"), 0);
  it.data->targets[0].neighbour_skill = 0.02;
  EXPECT_EQ(first_cause(it), "label_noise");
}

TEST(LabelNoise, IsNoCauseWhereTheMostSimilarRecordsAgree) {
  TrainingCase it = sound_case();
  has_learnt_nothing(it);
  it.data->targets[0].neighbour_skill = 0.7;
  EXPECT_EQ(confidence_of(it, "label_noise"), 0);
}

TEST(LabelNoise, IsNoCauseOfARunThatHasLearntWhatNeighboursDoNotShow) {
  TrainingCase it = sound_case();
  it.data->targets[0].neighbour_skill = 0.02;
  EXPECT_EQ(confidence_of(it, "label_noise"), 0);
}

}  // namespace
}  // namespace plimsoll
