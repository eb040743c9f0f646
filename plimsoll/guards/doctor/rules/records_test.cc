#include <gtest/gtest.h>

#include "plimsoll/guards/doctor/rule_list.h"
#include "tests/support/sound_case.h"

namespace plimsoll {
namespace {

using testing::confidence_of;
using testing::first_cause;
using testing::sound_case;
using testing::sound_pair;

TEST(LabelsOutOfRange, FindsTwoClassesThatAreNotNumberedZeroAndOne) {
  TrainingCase it = sound_pair();
  it.run.reset();
  EXPECT_EQ(first_cause(it), "");
  for (const auto& [least, largest] : {std::pair{1.0, 2.0}, {0.0, 255.0}, {-1.0, 1.0}}) {
    it.data->targets[0].least = least;
    it.data->targets[0].largest = largest;
    it.data->targets[0].has_gaps = true;
    EXPECT_EQ(first_cause(it), "labels_out_of_range") << least << " and " << largest;
  }
}

TEST(BadRecord, IsANoteWhereTheRunHasLeftItOut) {
  TrainingCase it = sound_pair();
  it.data->bad_records = 1;
  it.data->first_bad = "a.csv:7: has no value";
  it.data->first_bad_record = "a.csv:7";
  it.data->first_bad_reason = "missing";
  EXPECT_EQ(first_cause(it), "bad_record");
  it.run->quarantined = 1;
  EXPECT_EQ(first_cause(it), "");
  EXPECT_EQ(confidence_of(it, "bad_record"), 0.4);
}

TEST(BadRecord, IsNamedByTheDataAndByTheRun) {
  TrainingCase it = sound_pair();
  it.data->bad_records = 1;
  it.data->first_bad = "a.csv:7: has no value";
  it.data->first_bad_record = "a.csv:7";
  for (const char* reason : {"missing", "label"}) {
    it.data->first_bad_reason = reason;
    EXPECT_EQ(diagnose(it).findings.front().record, "a.csv:7") << reason;
  }
  const Finding said = finding_of(diagnose(it).findings.front());
  EXPECT_EQ(said.where, "a.csv:7");
  EXPECT_EQ(said.what, "labels_out_of_range: has no value");
}

// What is known of one of them is not said of the other.
TEST(BadRecord, OfTheDataHasNoOperationOfTheRun) {
  TrainingCase it = sound_pair();
  it.run->not_finite = NotFiniteStory{
      .what = "exp made infinite numbers", .op = "exp", .layer = "hidden", .records = {"a.csv:9"}};
  it.data->bad_records = 1;
  it.data->first_bad_record = "a.csv:7";
  it.data->first_bad_reason = "missing";
  const Symptoms symptoms = symptoms_of(it);
  const Limits limits;
  Suspicions found;
  bad_record_rule().look(Patient{it, symptoms, limits}, found);
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].record, "a.csv:9");
  EXPECT_EQ(found[0].op, "exp");
  EXPECT_EQ(found[1].record, "a.csv:7");
  EXPECT_EQ(found[1].op + found[1].layer, "");
}

TEST(BadRecord, ThatSpoilsAStepIsLeftOutWithIt) {
  TrainingCase it = sound_pair();
  it.run->not_finite = NotFiniteStory{.what = "exp made infinite numbers", .records = {"a.csv:9"}};
  EXPECT_EQ(diagnose(it).findings.front().option, "--on-bad-step skip");
}

TEST(BadRecord, IsNotWhatMostOfABatchAre) {
  TrainingCase it = sound_pair();
  it.run->not_finite = NotFiniteStory{.epoch = 1,
                                      .batch = 1,
                                      .what = "exp made infinite numbers",
                                      .op = "exp",
                                      .records = {"0", "1", "2"},
                                      .batch_records = 8};
  EXPECT_EQ(first_cause(it), "bad_record");
  it.run->not_finite->batch_records = 4;
  EXPECT_EQ(first_cause(it), "not_finite_op");
}

TEST(NotFiniteOp, AdvisesAReplayOnlyWhereTheStepIsKept) {
  TrainingCase it = sound_pair();
  it.run->is_of_command = true;
  it.run->not_finite =
      NotFiniteStory{.epoch = 1, .batch = 1, .what = "log made infinite numbers", .op = "log"};
  ASSERT_EQ(first_cause(it), "not_finite_op");
  EXPECT_EQ(diagnose(it).findings.front().option, "");
  it.run->not_finite->is_kept = true;
  EXPECT_EQ(diagnose(it).findings.front().option, "plimsoll replay RUN");
  it.run->is_of_command = false;
  EXPECT_EQ(diagnose(it).findings.front().option, "model.replay(run)");
}

}  // namespace
}  // namespace plimsoll
