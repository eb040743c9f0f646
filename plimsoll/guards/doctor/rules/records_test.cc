#include <gtest/gtest.h>

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
  it.data->first_bad_reason = "missing";
  EXPECT_EQ(first_cause(it), "bad_record");
  it.run->quarantined = 1;
  EXPECT_EQ(first_cause(it), "");
  EXPECT_EQ(confidence_of(it, "bad_record"), 0.4);
}

}  // namespace
}  // namespace plimsoll
