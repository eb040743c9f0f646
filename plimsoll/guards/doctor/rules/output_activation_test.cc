#include <gtest/gtest.h>

#include "tests/support/sound_case.h"

namespace plimsoll {
namespace {

using testing::confidence_of;
using testing::first_cause;
using testing::has_learnt_nothing;
using testing::sound_case;
using testing::sound_pair;

TEST(OutputActivation, SaysNothingOfAnActivationThatIsNotKnown) {
  TrainingCase it = sound_case();
  it.run.reset();
  it.model.outputs[0].activation = "";
  EXPECT_EQ(first_cause(it), "output_activation");
  it.model.outputs[0].activation = kUnknownActivation;
  EXPECT_EQ(first_cause(it), "");
}

TEST(OutputActivation, SigmoidsForClassesAreANoteWhereTheyHaveLearnt) {
  TrainingCase it = sound_case();
  it.model.outputs[0].activation = "sigmoid";
  EXPECT_EQ(first_cause(it), "");
  has_learnt_nothing(it);
  EXPECT_EQ(first_cause(it), "output_activation");
}

TEST(OutputActivation, FindsASoftmaxOverSeveralLabels) {
  TrainingCase it = sound_case();
  it.model.outputs[0].loss = "BinaryCrossentropy";
  it.model.outputs[0].width = 3;
  it.data->targets = {{.width = 3, .is_whole = true, .largest = 1, .column_entropy = 0.69}};
  has_learnt_nothing(it);
  EXPECT_EQ(first_cause(it), "output_activation");
  it.model.outputs[0].activation = "sigmoid";
  EXPECT_NE(first_cause(it), "output_activation");
}

TEST(OutputActivation, FindsATanhForZeroAndOne) {
  TrainingCase it = sound_pair();
  it.model.outputs[0].activation = "tanh";
  it.model.outputs[0].loss = "MeanSquaredError";
  has_learnt_nothing(it);
  EXPECT_EQ(first_cause(it), "output_activation");
}

TEST(OutputActivation, FindsAReluThatDied) {
  TrainingCase it = sound_pair();
  it.model.outputs[0].activation = "relu";
  it.model.outputs[0].loss = "MeanSquaredError";
  it.data->targets = {{.width = 1, .mean = 0.4, .deviation = 0.2, .largest = 2.5}};
  it.data->targets[0].column_variance = 0.04;
  for (EpochStory& epoch : it.run->epochs) epoch.metrics = {{"loss", 0.2}};
  EXPECT_EQ(confidence_of(it, "output_activation"), 0);
  StepStatistics step{.step = 9, .loss = 0.2};
  step.layers = {{.layer = "head", .activation = "relu", .dead_unit_share = 1}};
  it.run->statistics = {step};
  EXPECT_EQ(first_cause(it), "output_activation");
}

}  // namespace
}  // namespace plimsoll
