#include "plimsoll/plan/step_plan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "plimsoll/base/error.h"
#include "plimsoll/plan/sample_steps.h"
#include "plimsoll/plan/validate.h"

namespace plimsoll::plan {
namespace {

using ::testing::IsEmpty;

TEST(PlanStep, IsSoundForWhateverAStepMayHold) {
  for (uint32_t seed = 0; seed < 500; ++seed) {
    const StepProblem step = random_step(seed, 1 + static_cast<int32_t>(seed) % 60);
    const StepPlan plan = plan_step(step, {.work = 1'000'000});
    EXPECT_THAT(validate_plan(step, plan), IsEmpty()) << "seed " << seed;
    EXPECT_GE(plan.arena_bytes, plan.max_live_bytes) << "seed " << seed;
  }
}

TEST(PlanStep, OverwritesInSomeRandomSteps) {
  size_t overwrites = 0;
  for (uint32_t seed = 0; seed < 20; ++seed) {
    for (const auto& rows : plan_step(random_step(seed, 50)).overwrote) overwrites += rows.size();
  }
  EXPECT_GT(overwrites, 20);
}

void expect_tight(const StepProblem& step) {
  const StepPlan plan = plan_step(step);
  EXPECT_THAT(validate_plan(step, plan), IsEmpty());
  EXPECT_LE(static_cast<double>(plan.arena_bytes),
            1.005 * static_cast<double>(plan.max_live_bytes));
}

TEST(PlanStep, IsTightForAPerceptron) {
  expect_tight(mlp_step({784, 512, 512, 10}, 128));
  expect_tight(mlp_step(std::vector<int64_t>(40, 300), 64));
}

TEST(PlanStep, IsTightForAConvolutionalNetwork) {
  expect_tight(cnn_step(32, 224, 5));
  expect_tight(cnn_step(7, 100, 3));
}

TEST(PlanStep, IsTightForAResidualNetwork) {
  expect_tight(residual_step(16, 56, 4));
  expect_tight(residual_step(3, 33, 50));
}

TEST(PlanStep, NamesTheTaskAtThePeak) {
  StepBuilder b;
  b.run({b.run({b.run({}, 64)}, 64, 640)}, 64);
  const StepPlan plan = plan_step(b.step);
  EXPECT_EQ(plan.peak_task, 1);
  EXPECT_EQ(plan.max_live_bytes, 64 + 64 + 640);
}

TEST(PlanStep, NeedsNothingForNothing) {
  const StepPlan plan = plan_step({});
  EXPECT_EQ(plan.arena_bytes, 0);
  EXPECT_EQ(plan.peak_task, -1);
}

TEST(PlanStep, RefusesAStepThatMakesNoSense) {
  const auto refuses = [](auto damage) {
    StepBuilder b;
    b.run({b.run({}, 8)}, 8);
    damage(b);
    EXPECT_THROW(plan_step(b.step), InvalidArgument);
  };
  refuses([](StepBuilder& b) { b.step.tasks[0].inputs = {7}; });
  refuses([](StepBuilder& b) { b.step.tasks[0].outputs = {-1}; });
  refuses([](StepBuilder& b) { b.step.tasks[0].after = {2}; });
  refuses([](StepBuilder& b) { b.step.tasks[0].scratch_bytes = -1; });
  refuses([](StepBuilder& b) { b.step.tasks[1].may_overwrite = {{.input = 1, .output = 0}}; });
  refuses([](StepBuilder& b) { b.step.tasks[1].outputs = {0}; });
  refuses([](StepBuilder& b) { b.step.values[0].bytes = -8; });
  refuses([](StepBuilder& b) { b.step.values[0].alias_of = 0; });
  refuses([](StepBuilder& b) { b.step.values[b.view(0)].bytes = 9; });
  refuses([](StepBuilder& b) { b.step.values[b.view(0)].external = true; });
  refuses([](StepBuilder& b) { b.step.kept = {2}; });
  refuses([](StepBuilder& b) { b.step.alignment = 0; });
}

}  // namespace
}  // namespace plimsoll::plan
