#include "plimsoll/guards/doctor/case_of_output.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/sound_case.h"

namespace plimsoll {
namespace {

using testing::confidence_of;
using testing::first_cause;
using ::testing::Pair;
using testing::sound_case;
using ::testing::StartsWith;
using ::testing::UnorderedElementsAre;

// The classes of the sound case, and a number beside them.
TrainingCase sound_outputs() {
  TrainingCase it = sound_case();
  it.model.outputs[0].name = "kind";
  it.model.outputs.push_back({.name = "size",
                              .layer = "size",
                              .product_layer = "size",
                              .units = 1,
                              .width = 1,
                              .loss = "MeanSquaredError"});
  it.data->targets.push_back({.width = 1,
                              .deviation = 1,
                              .least = -3,
                              .largest = 3,
                              .absolute_deviation = 0.8,
                              .column_variance = 1});
  for (EpochStory& epoch : it.run->epochs) {
    const double kind = epoch.metrics.at("loss"), accuracy = epoch.metrics.at("accuracy");
    epoch.metrics = {
        {"loss", 2 * kind}, {"kind_loss", kind}, {"size_loss", kind}, {"kind_accuracy", accuracy}};
  }
  return it;
}

// Where one of them learns nothing, the other may have learnt well.
void has_learnt_nothing(TrainingCase& it, const std::string& output, double loss) {
  for (EpochStory& epoch : it.run->epochs) {
    epoch.metrics[output + "_loss"] = loss;
    if (output == "kind") epoch.metrics["kind_accuracy"] = 0.33;
  }
}

DiagnosedCause first_of(const TrainingCase& it) {
  const Diagnosis diagnosis = diagnose(it);
  return diagnosis.findings.empty() ? DiagnosedCause() : diagnosis.findings.front();
}

TEST(CaseOfOutput, HasItsOwnTargetsAndNumbers) {
  TrainingCase it = sound_outputs();
  it.run->epochs.resize(1);
  it.run->epochs[0].metrics = {{"loss", 5},          {"kind_loss", 1},  {"size_loss", 4},
                               {"val_size_loss", 6}, {"size_mae", 0.5}, {"kind_accuracy", 0.8}};
  const TrainingCase size = case_of_output(it, 1);
  ASSERT_EQ(size.model.outputs.size(), 1u);
  EXPECT_EQ(size.model.outputs[0].name, "size");
  EXPECT_EQ(size.data->targets[0].largest, 3);
  EXPECT_THAT(size.run->epochs[0].metrics,
              UnorderedElementsAre(Pair("loss", 4), Pair("val_loss", 6), Pair("mae", 0.5)));
  it.model.outputs[0].loss = "";  // the other one is not trained
  it.run->epochs[0].metrics = {{"loss", 5}, {"val_loss", 7}, {"size_mae", 0.5}};
  EXPECT_THAT(case_of_output(it, 1).run->epochs[0].metrics,
              UnorderedElementsAre(Pair("loss", 5), Pair("val_loss", 7), Pair("mae", 0.5)));
}

TEST(CaseOfOutput, ShowsHowWellItHasLearnt) {
  TrainingCase it = sound_outputs();
  has_learnt_nothing(it, "size", 1);
  const Symptoms whole = symptoms_of(it);
  EXPECT_FALSE(whole.skill);
  EXPECT_GT(*symptoms_of_output(case_of_output(it, 0), whole).skill, 0.8);
  EXPECT_LT(*symptoms_of_output(case_of_output(it, 1), whole).skill, 0.1);
  for (EpochStory& epoch : it.run->epochs) epoch.metrics = {{"loss", 1}};
  EXPECT_FALSE(symptoms_of_output(case_of_output(it, 1), whole).skill);
}

TEST(Diagnosis, LeavesSeveralSoundOutputsInPeace) {
  EXPECT_EQ(first_cause(sound_outputs()), "");
  TrainingCase before = sound_outputs();
  before.run.reset();
  EXPECT_EQ(first_cause(before), "");
}

TEST(Diagnosis, LooksAtEachOfSeveralOutputs) {
  TrainingCase it = sound_outputs();
  has_learnt_nothing(it, "size", 1.2);
  it.model.outputs[1].activation = "relu";  // of targets from -3 to 3
  const DiagnosedCause found = first_of(it);
  EXPECT_EQ(found.cause, "output_activation");
  EXPECT_EQ(found.layer, "size");
  EXPECT_THAT(found.what, StartsWith("output 'size': relu cannot give the targets"));
  EXPECT_EQ(found.option, "activation=\"linear\"");
}

TEST(Diagnosis, AdvisesNoOptionOfAllOutputsForOne) {
  TrainingCase it = sound_outputs();
  has_learnt_nothing(it, "kind", 1.1);
  it.model.outputs[0].loss = "MeanSquaredError";
  const DiagnosedCause found = first_of(it);
  EXPECT_EQ(found.cause, "loss_mismatch");
  EXPECT_THAT(found.what, StartsWith("output 'kind': "));
  EXPECT_EQ(found.option, "");
}

TEST(Diagnosis, SuspicionsOfSeveralOutputsDoNotAddUp) {
  TrainingCase one = sound_case();
  one.run.reset();
  one.data->targets[0].class_counts = {860, 20, 20};
  TrainingCase two = sound_outputs();
  two.run.reset();
  two.data->targets[0].class_counts = {860, 20, 20};
  two.model.outputs[1] = two.model.outputs[0];
  two.data->targets[1] = two.data->targets[0];
  EXPECT_GT(confidence_of(one, "class_imbalance"), 0.1);
  EXPECT_EQ(confidence_of(two, "class_imbalance"), confidence_of(one, "class_imbalance"));
}

// A head that is sure of its answers is at the flat ends of its sigmoid.
TEST(Diagnosis, AHeadOfSeveralIsNoHiddenLayer) {
  TrainingCase it = sound_outputs();
  for (EpochStory& epoch : it.run->epochs) epoch.metrics["loss"] = 2;
  StepStatistics step{.step = 8, .loss = 2};
  step.layers = {{.layer = "size", .activation = "sigmoid", .saturated_share = 0.95}};
  it.run->statistics = {step, step};
  EXPECT_EQ(confidence_of(it, "saturation"), 0);
  it.run->statistics[0].layers[0].layer = it.run->statistics[1].layers[0].layer = "hidden";
  EXPECT_GT(confidence_of(it, "saturation"), 0.1);
}

}  // namespace
}  // namespace plimsoll
