// The judge itself: each kind of defect, put into a sound plan, must be named.
#include "plimsoll/plan/validate.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "plimsoll/plan/sample_steps.h"

namespace plimsoll::plan {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

struct ValidateOffsets : ::testing::Test {
  void expect_defect(const char* words) const {
    EXPECT_THAT(validate_offsets(problem, solution), Contains(HasSubstr(words)));
  }

  OffsetProblem problem{{{100, 0, 1}, {50, 1, 2}, {0, 0, 2}}, 64};
  OffsetSolution solution{{0, 128, 0}, 192};
};

TEST_F(ValidateOffsets, IsSilentAboutASoundSolution) {
  EXPECT_THAT(validate_offsets(problem, solution), IsEmpty());
}

TEST_F(ValidateOffsets, SeesAnOverlap) {
  solution.offsets[1] = 64;
  expect_defect("buffer 1 overlaps buffer 0");
}

TEST_F(ValidateOffsets, AllowsAnOverlapOfBuffersThatNeverMeet) {
  problem.buffers[1].first = 2;
  solution.offsets[1] = 64;
  EXPECT_THAT(validate_offsets(problem, solution), IsEmpty());
}

TEST_F(ValidateOffsets, SeesAnUnalignedOffset) {
  solution.offsets[1] = 129;
  expect_defect("buffer 1 is not aligned");
}

TEST_F(ValidateOffsets, SeesABufferOutsideTheArena) {
  solution.arena_bytes = 177;
  expect_defect("buffer 1 is not inside the arena");
  solution.offsets[1] = -64;
  expect_defect("buffer 1 is not inside the arena");
}

TEST_F(ValidateOffsets, SeesAMissingOffset) {
  solution.offsets.pop_back();
  expect_defect("2 offsets for 3 buffers");
}

// Tasks: 0 makes x; 1 reads x and makes y, with scratch; 2 reads y and a view of x, and its first
// output z may overwrite y; 3 reads z, in stage 1. z is kept. Nothing shares bytes but y and z.
struct ValidatePlan : ::testing::Test {
  ValidatePlan() {
    weights = b.external(64);
    x = b.run({weights}, 64);
    y = b.run({x}, 64, 64);
    x_view = b.view(x);
    z = b.run_in_place({y, x_view});
    extra = b.value(64);
    b.step.tasks[2].outputs.push_back(extra);
    b.commit(weights, z);
    b.step.kept = {z};
    plan.order = {0, 1, 2, 3};
    plan.value_offsets = {-1, 0, 64, 0, 64, 192};
    plan.scratch_offsets = {-1, 128, -1, -1};
    plan.overwrote = {{}, {}, {0}, {}};
    plan.arena_bytes = 256;
  }

  void expect_sound() const { EXPECT_THAT(validate_plan(b.step, plan), IsEmpty()); }
  void expect_defect(const char* words) const {
    EXPECT_THAT(validate_plan(b.step, plan), Contains(HasSubstr(words)));
  }

  StepBuilder b;
  int32_t weights, x, y, x_view, z, extra;
  StepPlan plan;
};

TEST_F(ValidatePlan, IsSilentAboutASoundPlan) {
  expect_sound();
}

TEST_F(ValidatePlan, SeesATaskThatRunsTwiceOrNever) {
  plan.order = {0, 1, 1, 3};
  expect_defect("it does not have every task once");
  plan.order = {0, 1, 2};
  expect_defect("it does not have every task once");
}

TEST_F(ValidatePlan, SeesAnInputThatIsNotMadeYet) {
  plan.order = {1, 0, 2, 3};
  expect_defect("task 1 reads value 1 before it is made");
}

TEST_F(ValidatePlan, SeesAViewThatIsReadBeforeItsOwnerIsMade) {
  b.step.tasks[2].inputs = {x_view};
  b.step.tasks[1].inputs = {};
  b.step.tasks[2].may_overwrite = {};
  plan.order = {1, 2, 0, 3};
  expect_defect("task 2 reads value 1 before it is made");
}

TEST_F(ValidatePlan, SeesATaskBeforeOneThatItIsToRunAfter) {
  b.step.tasks[0].after = {1};
  expect_defect("task 0 runs before task 1");
}

TEST_F(ValidatePlan, SeesAStageOutOfTurn) {
  b.step.tasks[1].stage = 2;
  expect_defect("task 2 runs after a task of a later stage");
}

TEST_F(ValidatePlan, SeesAnInputThatAnotherTaskOverwrote) {
  plan.value_offsets[y] = plan.value_offsets[z] = 0;
  b.step.tasks[1].inputs = {weights};
  expect_defect("value 3 is not intact for task 2: value 2 wrote there");
}

TEST_F(ValidatePlan, SeesAnInputThatScratchOverwrote) {
  plan.scratch_offsets[1] = 0;
  b.step.tasks[1].inputs = {weights};
  expect_defect("value 3 is not intact for task 2: scratch of task 1 wrote there");
}

TEST_F(ValidatePlan, SeesAnOverwrittenInputThatIsReadLater) {
  b.step.tasks[3].inputs.push_back(y);
  expect_defect("value 2 is not intact for task 3: value 4 wrote there");
}

TEST_F(ValidatePlan, SeesAKeptValueThatIsLost) {
  b.step.kept = {y};
  expect_defect("value 2 is not intact for the end of the step");
}

TEST_F(ValidatePlan, SeesValuesThatShareBytesFromTheStart) {
  const int32_t first = b.value(64), second = b.value(64);
  b.step.tasks[0].inputs = {first, second};
  plan.value_offsets.insert(plan.value_offsets.end(), {128, 128});
  expect_defect("value 6 is not intact for task 0: value 7 wrote there");
}

TEST_F(ValidatePlan, SeesOutputsOfOneTaskThatOverlap) {
  plan.value_offsets[extra] = plan.value_offsets[z];
  expect_defect("task 2: output value 5 overlaps output value 4");
}

TEST_F(ValidatePlan, SeesAnOutputThatOverlapsScratch) {
  plan.scratch_offsets[1] = plan.value_offsets[y];
  expect_defect("task 1: output value 2 overlaps scratch");
}

TEST_F(ValidatePlan, SeesScratchThatOverlapsAnInput) {
  plan.scratch_offsets[1] = plan.value_offsets[x];
  expect_defect("scratch of task 1 overlaps its input value 1");
}

TEST_F(ValidatePlan, SeesAnOverwriteThatThePlanDoesNotTell) {
  plan.overwrote[2] = {};
  expect_defect("task 2: output value 4 overlaps input value 2");
}

TEST_F(ValidatePlan, SeesAnOverwriteThatTheTaskDoesNotDeclare) {
  b.step.tasks[2].may_overwrite = {};
  expect_defect("task 2 takes an overwrite that it does not declare");
}

TEST_F(ValidatePlan, SeesAnOverwriteOfAnotherInput) {
  plan.value_offsets[extra] = plan.value_offsets[x];
  expect_defect("task 2: output value 5 overlaps input value 3");
}

TEST_F(ValidatePlan, SeesAnOverwriteThatIsToldButDoesNotHappen) {
  plan.value_offsets[z] = 128;
  expect_defect("value 4 is not in the place of value 2");
}

TEST_F(ValidatePlan, SeesAnOverwriteOfWhatIsReadTwice) {
  b.step.tasks[2].inputs.push_back(y);
  b.step.tasks[2].may_overwrite.push_back({.input = 2, .output = 0});
  plan.overwrote[2] = {0, 1};
  expect_defect("task 2 overwrites value 2, which it reads twice");
}

TEST_F(ValidatePlan, SeesWhatIsNotAligned) {
  plan.value_offsets[extra] = 188;
  expect_defect("value 5 is not aligned");
  plan.scratch_offsets[1] = 129;
  expect_defect("scratch of task 1 is not aligned");
}

TEST_F(ValidatePlan, SeesWhatIsNotInsideTheArena) {
  plan.arena_bytes = 255;
  expect_defect("value 5 is not inside the arena");
  plan.scratch_offsets[1] = -1;
  expect_defect("scratch of task 1 is not inside the arena");
}

TEST_F(ValidatePlan, SeesAViewAwayFromItsOwner) {
  plan.value_offsets[x_view] = 128;
  expect_defect("value 3 is not at the offset of the value that it is a view of");
}

TEST_F(ValidatePlan, SeesAnExternalValueInTheArena) {
  plan.value_offsets[weights] = 0;
  expect_defect("value 0 is external but has an offset");
}

TEST_F(ValidatePlan, SeesScratchThatNobodyAskedFor) {
  plan.scratch_offsets[0] = 128;
  expect_defect("task 0 needs no scratch but has some");
}

TEST_F(ValidatePlan, SeesListsOfTheWrongLength) {
  plan.value_offsets.pop_back();
  expect_defect("value_offsets: wrong length");
  plan.scratch_offsets.pop_back();
  expect_defect("scratch_offsets: wrong length");
  plan.overwrote.pop_back();
  expect_defect("overwrote: wrong length");
}

}  // namespace
}  // namespace plimsoll::plan
