#include "plimsoll/plan/recompute/recompute.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "plimsoll/plan/order.h"
#include "plimsoll/plan/sample_steps.h"
#include "plimsoll/plan/step_plan.h"
#include "plimsoll/plan/validate.h"

namespace plimsoll::plan {
namespace {

using ::testing::IsEmpty;

// What each value is, as a number that depends on the tasks that led to it and on nothing else.
std::vector<uint64_t> meanings(const StepProblem& step, const std::vector<int32_t>& order,
                               const std::vector<int32_t>& task_origins,
                               const std::vector<int32_t>& value_origins) {
  const auto mix = [](uint64_t a, uint64_t b) {
    return (a ^ (b + 0x9e3779b97f4a7c15 + (a << 6) + (a >> 2))) * 0xbf58476d1ce4e5b9;
  };
  const std::vector<int32_t> owners = storage_owners(step);
  std::vector<uint64_t> meaning(step.values.size());
  for (size_t v = 0; v < meaning.size(); ++v)
    meaning[v] = mix(1, static_cast<uint64_t>(value_origins[v]));
  for (const int32_t index : order) {
    const Task& task = step.tasks[static_cast<size_t>(index)];
    uint64_t made = mix(2, static_cast<uint64_t>(task_origins[static_cast<size_t>(index)]));
    for (const int32_t input : task.inputs)
      made = mix(made, meaning[static_cast<size_t>(owners[static_cast<size_t>(input)])]);
    for (const int32_t output : task.outputs)
      if (owners[static_cast<size_t>(output)] == output)
        meaning[static_cast<size_t>(output)] =
            mix(made, static_cast<uint64_t>(value_origins[static_cast<size_t>(output)]));
  }
  return meaning;
}

std::vector<int32_t> numbers(size_t count) {
  std::vector<int32_t> numbers;
  for (size_t i = 0; i < count; ++i) numbers.push_back(static_cast<int32_t>(i));
  return numbers;
}

// Each copy holds what the original held, and every task read what it would have read.
void expect_same_meaning(const StepProblem& step, const std::vector<int32_t>& order,
                         const RecomputedStep& found) {
  const std::vector<uint64_t> before =
      meanings(step, order, numbers(step.tasks.size()), numbers(step.values.size()));
  const std::vector<uint64_t> after =
      meanings(found.problem, found.order, found.task_origins, found.value_origins);
  const std::vector<int32_t> owners = storage_owners(found.problem);
  for (size_t v = 0; v < after.size(); ++v)
    if (owners[v] == static_cast<int32_t>(v)) {
      EXPECT_EQ(after[v], before[static_cast<size_t>(found.value_origins[v])]) << "value " << v;
    }
}

struct Outcome {
  bool fits = false;
  double extra = 0;
};

Outcome check(const StepProblem& step, double fraction) {
  const StepPlan plain = plan_step(step, {.work = 1'000'000});
  const auto budget = static_cast<int64_t>(fraction * static_cast<double>(plain.max_live_bytes));
  const auto found = recompute_within(step, plain.order, budget);
  if (!found) return {};
  const StepPlan plan = plan_in_order(found->problem, found->order, {.work = 1'000'000});
  EXPECT_THAT(validate_plan(found->problem, plan), IsEmpty());
  EXPECT_LE(plan.max_live_bytes, budget);
  EXPECT_GE(plan.max_live_bytes, least_live_bytes(step));
  expect_same_meaning(step, plain.order, *found);
  return {true, found->extra_seconds};
}

TEST(Recompute, ChangesNothingWhereAllFits) {
  const StepProblem step = residual_step(4, 16, 4);
  const std::vector<int32_t> order = choose_order(step);
  const auto found = recompute_within(step, order, int64_t{1} << 40);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->order, order);
  EXPECT_EQ(found->problem.tasks.size(), step.tasks.size());
  EXPECT_EQ(found->extra_seconds, 0);
}

TEST(Recompute, FitsAResidualNetworkIntoAThird) {
  StepProblem step = residual_step(4, 16, 30);
  for (Task& task : step.tasks) task.seconds = 1;
  double before = -1;
  for (const double fraction : {0.9, 0.5, 0.35}) {
    const Outcome found = check(step, fraction);
    ASSERT_TRUE(found.fits) << fraction;
    EXPECT_GT(found.extra, before);
    EXPECT_LT(found.extra, static_cast<double>(step.tasks.size()));
    before = found.extra;
  }
}

TEST(Recompute, IsSoundForWhateverAStepMayHold) {
  int found_count = 0, copied = 0;
  for (uint32_t seed = 0; seed < 300; ++seed) {
    StepProblem step = random_step(seed, 1 + static_cast<int32_t>(seed) % 60);
    for (size_t i = 0; i < step.tasks.size(); ++i) {
      step.tasks[i].seconds = static_cast<double>(1 + i * 7 % 5);
      step.tasks[i].may_repeat = i % 7 != 3;
      if (seed % 4 != 0) step.tasks[i].stage = 0;
    }
    for (const double fraction : {0.95, 0.8, 0.6}) {
      SCOPED_TRACE("seed " + std::to_string(seed));
      const Outcome found = check(step, fraction);
      found_count += found.fits;
      copied += found.fits && found.extra > 0;
    }
  }
  EXPECT_GT(found_count, 25);
  EXPECT_GT(copied, 25);
}

TEST(Recompute, LeavesAloneWhatMayNotRepeat) {
  StepProblem step = residual_step(4, 16, 10);
  for (Task& task : step.tasks) task.may_repeat = false;
  EXPECT_FALSE(check(step, 0.5).fits);
  for (Task& task : step.tasks) task.may_repeat = true;
  EXPECT_TRUE(check(step, 0.5).fits);
}

// Task 1 reads 64 bytes and makes 128, with 64 of scratch; the output of task 2 may overwrite.
TEST(Recompute, LeavesLiveAtLeastWhatOneTaskNeeds) {
  StepProblem step{.values = {{64}, {128}, {128}, {8, true}},
                   .tasks = {{.inputs = {3}, .outputs = {0}},
                             {.inputs = {0, 0, 3}, .outputs = {1}, .scratch_bytes = 10},
                             {.inputs = {1}, .outputs = {2}, .may_overwrite = {{0, 0}}}}};
  EXPECT_EQ(least_live_bytes(step), 256);
  step.tasks[2].scratch_bytes = 200;
  EXPECT_EQ(least_live_bytes(step), 384);
}

TEST(Recompute, GivesUpBelowWhatOneTaskNeeds) {
  EXPECT_FALSE(check(residual_step(4, 16, 10), 0.01).fits);
}

}  // namespace
}  // namespace plimsoll::plan
