#include <gtest/gtest.h>

#include "tests/support/sound_case.h"

namespace plimsoll {
namespace {

using testing::confidence_of;
using testing::first_cause;
using testing::has_learnt_nothing;
using testing::sound_case;
using testing::sound_pair;

TEST(OutputUnits, FindsFewerUnitsThanClasses) {
  TrainingCase it = sound_case();
  it.run.reset();
  it.data->targets[0].largest = 4;
  it.data->targets[0].class_counts.assign(5, 180);
  EXPECT_EQ(first_cause(it), "output_units");
}

TEST(OutputUnits, FindsOneSigmoidForThreeClasses) {
  TrainingCase it = sound_pair();
  it.run.reset();
  it.data->targets[0].largest = 2;
  it.data->targets[0].class_counts = {300, 300, 300};
  EXPECT_EQ(first_cause(it), "output_units");
}

TEST(OutputUnits, FindsAnotherWidthThanThatOfTheTargets) {
  TrainingCase it = sound_pair();
  it.run.reset();
  it.model.outputs[0].loss = "MeanSquaredError";
  it.model.outputs[0].activation = "";
  it.data->targets = {{.width = 3, .deviation = 1, .least = -2, .largest = 2}};
  EXPECT_EQ(first_cause(it), "output_units");
  it.model.outputs[0].width = 3;
  EXPECT_EQ(first_cause(it), "");
}

TEST(OutputUnits, AClassThatNoRecordHasIsNoCause) {
  TrainingCase it = sound_case();
  it.run.reset();
  it.data->targets[0].largest = 1;
  it.data->targets[0].class_counts = {450, 450};
  EXPECT_EQ(first_cause(it), "");
}

}  // namespace
}  // namespace plimsoll
