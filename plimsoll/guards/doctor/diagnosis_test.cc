#include "plimsoll/guards/doctor/diagnosis.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "plimsoll/base/error.h"
#include "plimsoll/guards/doctor/rule.h"
#include "tests/support/sound_case.h"

namespace plimsoll {
namespace {

using plimsoll::testing::first_cause;
using plimsoll::testing::has_learnt_nothing;
using plimsoll::testing::sound_case;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::ThrowsMessage;

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
  EXPECT_EQ(first_cause(it), "");  // it has learnt with that loss too
  has_learnt_nothing(it);
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

TEST(Diagnosis, NamesTheFirstCauseOfARunThatHasLearntNothingHoweverWeakItIs) {
  TrainingCase it = sound_case();
  has_learnt_nothing(it);
  it.data->targets[0].neighbour_skill = 0.8;
  const Diagnosis diagnosis = diagnose(it);
  ASSERT_FALSE(diagnosis.findings.empty());
  EXPECT_LT(diagnosis.findings.front().confidence, 0.6);
  EXPECT_EQ(diagnosis.verdict, Verdict::poor);
  EXPECT_EQ(diagnosis.findings.front().severity, Finding::Severity::warning);
}

TEST(Diagnosis, CountsTheAccuracyThatFitsTheTargets) {
  TrainingCase it = sound_case();
  it.data->targets[0].width = 3;
  it.data->targets[0].is_one_hot = true;
  it.model.outputs[0].loss = "CategoricalCrossentropy";
  for (EpochStory& epoch : it.run->epochs)
    epoch.metrics = {{"loss", 1.0986}, {"binary_accuracy", 0.9}, {"top_k_categorical_accuracy", 1}};
  EXPECT_LT(*diagnose(it).skill, 0.01);
  for (EpochStory& epoch : it.run->epochs) epoch.metrics["categorical_accuracy"] = 0.9;
  EXPECT_GT(*diagnose(it).skill, 0.8);
}

TEST(Diagnosis, ARunThatWasRefusedHasFailed) {
  TrainingCase it = sound_case();
  it.run = RunStory{.status = "failed", .why = "a label has no unit"};
  EXPECT_EQ(diagnose(it).verdict, Verdict::failed);
  EXPECT_FALSE(diagnose(it).skill);
  it.model.layers[1].activation = "";
  EXPECT_EQ(first_cause(it), "missing_nonlinearity");  // nothing was learnt that speaks against it
}

TEST(Diagnosis, AValidationThatIsNotFiniteHasFailed) {
  TrainingCase it = sound_case();
  it.run->epochs.back().metrics["val_loss"] = std::nan("");
  EXPECT_EQ(diagnose(it).verdict, Verdict::failed);
}

TEST(Diagnosis, NamesTheLineThatMadeTheFirstNumberThatIsNotFinite) {
  TrainingCase it = sound_case();
  it.run->not_finite = NotFiniteStory{.epoch = 1,
                                      .batch = 1,
                                      .what = "log made infinite numbers",
                                      .op = "log",
                                      .line = "main.py:12"};
  EXPECT_EQ(diagnose(it).findings.front().cause, "not_finite_op");
  EXPECT_EQ(diagnose(it).findings.front().line, "main.py:12");
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
  it.run->growing = {{"loop.py:7", 40, 1 << 20}};
  for (EpochStory& epoch : it.run->epochs) epoch.resident_bytes = 80 << 20;
  EXPECT_EQ(first_cause(it), "memory_growth");
  EXPECT_EQ(diagnose(it).findings.front().line, "loop.py:7");
}

TEST(Diagnosis, ANumberThatIsKeptPerEpochIsANote) {
  TrainingCase it = sound_case();
  it.run->growing = {{"loop.py:7", 10, 40}};
  for (EpochStory& epoch : it.run->epochs) epoch.resident_bytes = 80 << 20;
  EXPECT_EQ(first_cause(it), "");
  EXPECT_EQ(diagnose(it).findings.front().line, "loop.py:7");
  it.run->planned_epochs = 10'000;  // 10 were done
  EXPECT_EQ(first_cause(it), "memory_growth");
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
