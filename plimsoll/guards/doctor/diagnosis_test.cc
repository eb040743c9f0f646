#include "plimsoll/guards/doctor/diagnosis.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "plimsoll/base/error.h"
#include "plimsoll/guards/doctor/rule.h"

namespace plimsoll {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::ThrowsMessage;

// A sound classifier of three classes, its data and a run that has learnt them.
TrainingCase sound_case() {
  TrainingCase it;
  it.model.layers = {{.name = "in", .kind = "InputLayer", .is_linear = true, .feeds = {1}},
                     {.name = "hidden",
                      .kind = "Dense",
                      .activation = "relu",
                      .is_product = true,
                      .units = 32,
                      .parameters = 160,
                      .kernel_spread = 1,
                      .feeds = {2}},
                     {.name = "head",
                      .kind = "Dense",
                      .activation = "softmax",
                      .is_product = true,
                      .units = 3,
                      .parameters = 99,
                      .kernel_spread = 1}};
  it.model.outputs = {{.layer = "head",
                       .activation = "softmax",
                       .units = 3,
                       .loss = "SparseCategoricalCrossentropy"}};
  it.model.optimizer = "Adam";
  it.model.learning_rate = 1e-3;
  it.data = DataFacts{.records = 900, .looked_at = 900};
  it.data->inputs = {{.name = "in",
                      .meets_weights = true,
                      .deviation = 1,
                      .least = -3,
                      .largest = 3,
                      .columns = 4}};
  it.data->targets = {
      {.width = 1, .is_whole = true, .largest = 2, .class_counts = {300, 300, 300}}};
  it.run = RunStory{.status = "done", .batch_size = 32};
  for (const double loss : {0.9, 0.5, 0.3, 0.2, 0.15, 0.12, 0.11, 0.105, 0.1, 0.1})
    it.run->epochs.push_back(
        {.metrics = {{"loss", loss}, {"accuracy", 1 - loss / 2}}, .samples = 900});
  return it;
}

void has_learnt_nothing(TrainingCase& it) {
  for (EpochStory& epoch : it.run->epochs) epoch.metrics = {{"loss", 1.0986}, {"accuracy", 0.33}};
}

std::string first_cause(const TrainingCase& it) {
  const Diagnosis diagnosis = diagnose(it);
  if (diagnosis.findings.empty()) return "";
  const DiagnosedCause& first = diagnosis.findings.front();
  return first.severity == Finding::Severity::note ? "" : first.cause;
}

TEST(Diagnosis, LeavesASoundRunInPeace) {
  const Diagnosis diagnosis = diagnose(sound_case());
  EXPECT_EQ(diagnosis.verdict, Verdict::healthy);
  EXPECT_GT(*diagnosis.skill, 0.9);
  for (const DiagnosedCause& it : diagnosis.findings)
    EXPECT_EQ(it.severity, Finding::Severity::note) << it.cause;
}

TEST(Diagnosis, FindsAnActivationThatTheLossDoesNotTake) {
  TrainingCase it = sound_case();
  it.model.outputs[0].activation = "relu";
  EXPECT_EQ(first_cause(it), "output_activation");
  EXPECT_EQ(diagnose(it).findings.front().layer, "head");
  it.run.reset();  // before any training
  EXPECT_EQ(first_cause(it), "output_activation");
  it.data.reset();
  EXPECT_EQ(first_cause(it), "output_activation");
}

TEST(Diagnosis, FindsALossThatIsNotOneForTheTargets) {
  TrainingCase it = sound_case();
  it.model.outputs[0].loss = "MeanSquaredError";
  EXPECT_EQ(first_cause(it), "loss_mismatch");
  EXPECT_THAT(diagnose(it).findings.front().option,
              HasSubstr("--loss sparse_categorical_crossentropy"));
}

TEST(Diagnosis, FindsInputsThatAreNotScaled) {
  TrainingCase it = sound_case();
  it.data->inputs[0].mean = 120;
  it.data->inputs[0].deviation = 70;
  it.data->inputs[0].least = 0;
  it.data->inputs[0].largest = 255;
  has_learnt_nothing(it);
  EXPECT_EQ(first_cause(it), "inputs_not_normalised");
  EXPECT_EQ(diagnose(it).findings.front().option, "--normalise");
  EXPECT_THAT(diagnose(it).findings.front().remedy, HasSubstr("1/255"));
  it.data->inputs[0].meets_weights = false;  // BatchNormalization comes first
  EXPECT_NE(first_cause(it), "inputs_not_normalised");
}

TEST(Diagnosis, ALearningRateExplainsDeadUnits) {
  TrainingCase it = sound_case();
  has_learnt_nothing(it);
  StepStatistics step{.step = 8, .loss = 1.0986};
  step.layers = {{.layer = "hidden", .activation = "relu", .dead_unit_share = 1}};
  it.run->statistics = {step, step};
  EXPECT_EQ(first_cause(it), "dead_relu");
  it.model.learning_rate = 1;
  const Diagnosis diagnosis = diagnose(it);
  EXPECT_EQ(diagnosis.findings.front().cause, "learning_rate_high");
  const auto dead = std::ranges::find(diagnosis.findings, "dead_relu", &DiagnosedCause::cause);
  ASSERT_NE(dead, diagnosis.findings.end());
  EXPECT_EQ(dead->severity, Finding::Severity::note);
}

TEST(Diagnosis, NamesTheRecordThatIsNotFinite) {
  TrainingCase it = sound_case();
  it.run->status = "failed";
  it.run->not_finite = NotFiniteStory{.epoch = 1,
                                      .batch = 3,
                                      .what = "log made infinite numbers",
                                      .op = "log",
                                      .layer = "hidden",
                                      .kind = "operation",
                                      .records = {"a.csv:17"}};
  const Diagnosis diagnosis = diagnose(it);
  EXPECT_EQ(diagnosis.verdict, Verdict::failed);
  EXPECT_EQ(diagnosis.findings.front().cause, "bad_record");
  EXPECT_EQ(diagnosis.findings.front().record, "a.csv:17");
  EXPECT_EQ(diagnosis.findings.front().op, "log");
}

TEST(Diagnosis, TellsTooFewUnitsFromLabelsThatBeginWithOne) {
  TrainingCase it = sound_case();
  it.run.reset();
  it.data->bad_records = 300;
  it.data->first_bad_reason = "label";
  it.data->targets[0].least = 1;
  it.data->targets[0].largest = 3;
  EXPECT_EQ(first_cause(it), "labels_out_of_range");
  it.data->targets[0].least = 0;
  it.data->targets[0].largest = 9;
  it.data->targets[0].class_counts.assign(10, 90);
  EXPECT_EQ(first_cause(it), "output_units");
}

TEST(Diagnosis, FindsLabelsOfTheOtherForm) {
  TrainingCase it = sound_case();
  it.run.reset();
  it.model.outputs[0].loss = "CategoricalCrossentropy";
  EXPECT_EQ(first_cause(it), "loss_mismatch");
  EXPECT_EQ(diagnose(it).findings.front().option, "--loss sparse_categorical_crossentropy");
  it.model.outputs[0].loss = "SparseCategoricalCrossentropy";
  it.data->targets[0].width = 3;
  it.data->targets[0].is_one_hot = true;
  EXPECT_EQ(diagnose(it).findings.front().option, "--loss categorical_crossentropy");
}

TEST(Diagnosis, NeighboursTellLabelNoiseFromAModelThatLearnsBadly) {
  TrainingCase it = sound_case();
  has_learnt_nothing(it);
  it.data->targets[0].neighbour_skill = 0.01;
  EXPECT_EQ(first_cause(it), "label_noise");
  it.data->targets[0].neighbour_skill = 0.8;
  EXPECT_NE(first_cause(it), "label_noise");
  it.data->targets[0].neighbour_skill = 0.01;
  it.model.learning_rate = 1;  // which explains it
  EXPECT_EQ(first_cause(it), "learning_rate_high");
}

TEST(Diagnosis, LeavesARunInPeaceThatHasLearntWhatNoisyDataHas) {
  TrainingCase it = sound_case();
  for (EpochStory& epoch : it.run->epochs) epoch.metrics = {{"loss", 0.95}, {"accuracy", 0.5}};
  it.data->targets[0].neighbour_skill = 0.2;
  EXPECT_EQ(first_cause(it), "");
  it.data->targets[0].neighbour_skill = 0.9;
  EXPECT_EQ(first_cause(it), "underfitting");
}

TEST(Diagnosis, WhatMakesARunSlowIsANote) {
  TrainingCase it = sound_case();
  for (EpochStory& epoch : it.run->epochs) {
    epoch.seconds = 10;
    epoch.core_wait_seconds = 6;
  }
  it.run->epochs[4].step_seconds = 0.01;
  it.run->epochs[4].slowest_step_seconds = 4;
  const Diagnosis diagnosis = diagnose(it);
  EXPECT_EQ(diagnosis.verdict, Verdict::healthy);
  std::set<std::string> causes;
  for (const DiagnosedCause& cause : diagnosis.findings) causes.insert(cause.cause);
  EXPECT_THAT(causes, Contains("busy_cores"));
  EXPECT_THAT(causes, Contains("slow_steps"));
}

TEST(Diagnosis, NamesTheLineThatKeepsTensors) {
  TrainingCase it = sound_case();
  it.run->growing = {{"loop.py:7", 1 << 20}};
  EXPECT_EQ(first_cause(it), "memory_growth");
  EXPECT_EQ(diagnose(it).findings.front().line, "loop.py:7");
}

TEST(Diagnosis, TakesOtherThresholds) {
  TrainingCase it = sound_case();
  it.model.layers[2].dropout = 0.5;
  has_learnt_nothing(it);
  EXPECT_NE(first_cause(it), "over_regularised");
  EXPECT_EQ(diagnose(it, {{"over_regularised.dropout", 0.4}}).findings.front().cause,
            "over_regularised");
  EXPECT_THAT(
      [&] {
        diagnose(it, {{"over_regularised.drop", 0.4}});
      },
      ThrowsMessage<InvalidArgument>(HasSubstr("over_regularised.dropout")));
}

TEST(Diagnosis, SaysLittleWithoutARunAndData) {
  TrainingCase it = sound_case();
  it.run.reset();
  it.data.reset();
  EXPECT_THAT(diagnose(it).findings, IsEmpty());
}

TEST(KnownCauses, CoverEveryRuleAndWhatTheyExplain) {
  std::set<std::string_view> known;
  for (const KnownCause& cause : known_causes()) EXPECT_TRUE(known.insert(cause.name).second);
  for (const KnownCause& cause : known_causes())
    for (const std::string_view effect : cause.explains) {
      EXPECT_THAT(known, Contains(effect));
      EXPECT_NE(effect, cause.name);
    }
  std::set<std::string_view> thresholds;
  for (const Rule& rule : rules()) {
    EXPECT_THAT(known, Contains(rule.cause));
    for (const Threshold& it : rule.thresholds) EXPECT_TRUE(thresholds.insert(it.name).second);
  }
}

}  // namespace
}  // namespace plimsoll
