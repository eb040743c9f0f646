#include "plimsoll/plan/lifetimes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>

#include "plimsoll/plan/sample_steps.h"

namespace plimsoll::plan {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

Lifetimes in_given_order(const StepProblem& step) {
  std::vector<int32_t> order(step.tasks.size());
  std::iota(order.begin(), order.end(), 0);
  return find_lifetimes(step, order);
}

// x is made, then overwritten by y where that is allowed, then y is read.
struct OverwriteStep : ::testing::Test {
  OverwriteStep() : x(b.run({}, 100)), y(b.run_in_place({x})) { b.run({y}, 100); }

  bool is_overwritten() const {
    const Lifetimes lifetimes = in_given_order(b.step);
    EXPECT_EQ(lifetimes.overwrote[1].size() == 1,
              lifetimes.value_buffers[x] == lifetimes.value_buffers[y]);
    return !lifetimes.overwrote[1].empty();
  }

  StepBuilder b;
  int32_t x, y;
};

TEST_F(OverwriteStep, SharesOneBufferFromFirstToLast) {
  EXPECT_TRUE(is_overwritten());
  const Lifetimes lifetimes = in_given_order(b.step);
  EXPECT_EQ(lifetimes.offsets.buffers[lifetimes.value_buffers[x]].first, 0);
  EXPECT_EQ(lifetimes.offsets.buffers[lifetimes.value_buffers[x]].last, 2);
}

TEST_F(OverwriteStep, IsNotTakenWhereTheInputIsReadLater) {
  b.run({x}, 8);
  EXPECT_FALSE(is_overwritten());
}

TEST_F(OverwriteStep, IsNotTakenWhereAViewOfTheInputIsReadLater) {
  b.run({b.view(b.view(x))}, 8);
  EXPECT_FALSE(is_overwritten());
}

TEST_F(OverwriteStep, IsNotTakenWhereTheInputIsKept) {
  b.step.kept = {x};
  EXPECT_FALSE(is_overwritten());
}

TEST_F(OverwriteStep, IsNotTakenWhereTheInputIsReadTwice) {
  b.step.tasks[1].inputs.push_back(b.view(x));
  b.step.tasks[1].may_overwrite.push_back({.input = 1, .output = 0});
  EXPECT_FALSE(is_overwritten());
}

TEST_F(OverwriteStep, IsNotTakenWhereTheTaskMakesAViewOfTheInput) {
  b.step.tasks[1].outputs.push_back(b.view(x));
  EXPECT_FALSE(is_overwritten());
}

TEST_F(OverwriteStep, IsNotTakenWhereTheOutputIsLarger) {
  b.step.values[y].bytes = 101;
  EXPECT_FALSE(is_overwritten());
}

TEST_F(OverwriteStep, IsNotTakenWhereEitherIsExternal) {
  b.step.values[x].external = true;
  EXPECT_THAT(in_given_order(b.step).overwrote[1], IsEmpty());
  b.step.values[x].external = false;
  b.step.values[y].external = true;
  EXPECT_FALSE(is_overwritten());
}

TEST_F(OverwriteStep, HappensOnceForEachInput) {
  b.step.tasks[1].outputs.push_back(b.value(100));
  b.step.tasks[1].may_overwrite.push_back({.input = 0, .output = 1});
  EXPECT_THAT(in_given_order(b.step).overwrote[1], ElementsAre(0));
}

TEST(Lifetimes, MeasureAnOverwriteAgainstTheStorageAndNotTheView) {
  StepBuilder b;
  const int32_t x = b.run({}, 100);
  const int32_t small = b.run_in_place({x});
  b.step.values[small].bytes = 10;
  const int32_t large = b.run({small}, 100);
  b.step.tasks.back().may_overwrite = {{.input = 0, .output = 0}};
  const Lifetimes lifetimes = in_given_order(b.step);
  EXPECT_EQ(lifetimes.value_buffers[x], lifetimes.value_buffers[large]);
}

TEST(Lifetimes, GiveAValueThatNobodyReadsItsOwnTask) {
  StepBuilder b;
  b.run({}, 8);
  b.run({}, 16);
  const Lifetimes lifetimes = in_given_order(b.step);
  EXPECT_EQ(lifetimes.offsets.buffers[1].first, 1);
  EXPECT_EQ(lifetimes.offsets.buffers[1].last, 1);
}

TEST(Lifetimes, BeginAValueThatNobodyMakesWithTheStep) {
  StepBuilder b;
  const int32_t batch = b.value(8);
  b.run({}, 8);
  b.run({batch}, 8);
  const Lifetimes lifetimes = in_given_order(b.step);
  EXPECT_EQ(lifetimes.offsets.buffers[lifetimes.value_buffers[batch]].first, 0);
  EXPECT_EQ(lifetimes.offsets.buffers[lifetimes.value_buffers[batch]].last, 1);
}

TEST(Lifetimes, LeaveExternalValuesAndTheirViewsOutOfTheArena) {
  StepBuilder b;
  const int32_t weights = b.external(8);
  const int32_t view = b.view(weights);
  b.run({view}, 8);
  EXPECT_THAT(in_given_order(b.step).value_buffers, ElementsAre(-1, -1, 0));
}

TEST(Lifetimes, HoldScratchForOneMoment) {
  StepBuilder b;
  b.run({}, 8);
  b.run({}, 8, 24);
  const Lifetimes lifetimes = in_given_order(b.step);
  EXPECT_EQ(lifetimes.scratch_buffers[0], -1);
  const Buffer& scratch = lifetimes.offsets.buffers[lifetimes.scratch_buffers[1]];
  EXPECT_EQ(scratch.bytes, 24);
  EXPECT_EQ(scratch.first, 1);
  EXPECT_EQ(scratch.last, 1);
}

}  // namespace
}  // namespace plimsoll::plan
