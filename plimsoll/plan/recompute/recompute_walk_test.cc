#include "plimsoll/plan/recompute/recompute_walk.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "plimsoll/plan/sample_steps.h"

namespace plimsoll::plan {
namespace {

using ::testing::ElementsAre;

// The example at the top of recompute_walk.h.
struct WalkOfThePicture : ::testing::Test {
  WalkOfThePicture() {
    StepBuilder b;
    const int32_t x = b.external(1);
    a = b.run({x}, 4);
    c = b.run({b.run({a}, 6)}, 2);
    step = b.step;
    step.values.push_back({.bytes = 4});
    const auto d = static_cast<int32_t>(step.values.size()) - 1;
    step.tasks.push_back({.inputs = {c, a}, .outputs = {d}});
    step.kept = {d};
    step.alignment = 1;
    for (size_t i = 0; i < step.tasks.size(); ++i)
      step.tasks[i].seconds = 1 + static_cast<double>(i);
  }

  static void expect_idle(const Idle& idle, int32_t owner) {
    EXPECT_EQ(idle.place.owner, owner);
    EXPECT_EQ(idle.from, 1);
    EXPECT_EQ(idle.to, 3);
  }

  StepProblem step;
  int32_t a = 0, c = 0;
  const std::vector<int32_t> order = {0, 1, 2, 3};
};

TEST_F(WalkOfThePicture, KeepsAValueThroughItsIdleTime) {
  const RecomputeFacts facts(step, order);
  RecomputeWalk walk(facts);
  ASSERT_TRUE(walk.run(Drops(facts)));
  EXPECT_THAT(walk.live_bytes(), ElementsAre(4, 10, 12, 10));
  EXPECT_EQ(walk.peak_bytes(), 12);
  EXPECT_EQ(walk.extra_seconds(), 0);
  ASSERT_EQ(walk.kept().size(), 1u);
  expect_idle(walk.kept()[0], a);
  EXPECT_NEAR(walk.cost(walk.kept()[0], 0).value(), 1, 1e-5);
}

TEST_F(WalkOfThePicture, MakesAgainWhatWasDropped) {
  const RecomputeFacts facts(step, order);
  RecomputeWalk walk(facts);
  Drops drops(facts);
  drops.change({.owner = a, .gap = 1, .touch = 0});
  ASSERT_TRUE(walk.run(drops));
  EXPECT_THAT(walk.live_bytes(), ElementsAre(4, 10, 8, 6, 10));
  EXPECT_EQ(walk.peak_bytes(), 10);
  EXPECT_EQ(walk.extra_seconds(), 1);
  ASSERT_EQ(walk.dropped().size(), 1u);
  expect_idle(walk.dropped()[0], a);
}

}  // namespace
}  // namespace plimsoll::plan
