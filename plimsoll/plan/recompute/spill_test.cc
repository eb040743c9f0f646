#include "plimsoll/plan/recompute/spill.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "plimsoll/plan/mix_bits.h"
#include "plimsoll/plan/order.h"
#include "plimsoll/plan/sample_steps.h"
#include "plimsoll/plan/step_plan.h"
#include "plimsoll/plan/validate.h"

namespace plimsoll::plan {
namespace {

using ::testing::IsEmpty;

size_t at(int32_t index) {
  return static_cast<size_t>(index);
}

// A step run on numbers: what a task makes depends on what it is and on what it reads.
class Simulation {
 public:
  explicit Simulation(const StepProblem& step)
      : step_(step), owners_(storage_owners(step)), contents_(step.values.size()) {
    for (size_t v = 0; v < contents_.size(); ++v) contents_[v] = mix_bits(v);
  }

  // What the task reads, as a number.
  uint64_t run(int32_t index, int32_t origin) {
    const Task& task = step_.tasks[at(index)];
    uint64_t read = mix_bits(static_cast<uint64_t>(origin) + 77);
    for (const int32_t input : task.inputs) read = mix_bits(read ^ content(input));
    for (size_t i = 0; i < task.outputs.size(); ++i)
      if (owners_[at(task.outputs[i])] == task.outputs[i])
        contents_[at(task.outputs[i])] = mix_bits(read + i);
    return read;
  }

  void transfer(const SpilledStep::Transfer& it) {
    const Task& task = step_.tasks[at(it.task)];
    if (it.is_store)
      file_[it.offset] = content(task.inputs[0]);
    else
      contents_[at(task.outputs[0])] = file_.at(it.offset);
  }

 private:
  uint64_t content(int32_t value) const { return contents_[at(owners_[at(value)])]; }

  const StepProblem& step_;
  std::vector<int32_t> owners_;
  std::vector<uint64_t> contents_;
  std::map<int64_t, uint64_t> file_;
};

// What each task of the step that was given reads.
std::vector<uint64_t> reads(const StepProblem& step, const std::vector<int32_t>& order) {
  Simulation simulation(step);
  std::vector<uint64_t> found(step.tasks.size());
  for (const int32_t index : order) found[at(index)] = simulation.run(index, index);
  return found;
}

std::vector<uint64_t> reads(const SpilledStep& step, size_t tasks) {
  Simulation simulation(step.problem);
  std::map<int32_t, SpilledStep::Transfer> transfers;
  for (const auto& transfer : step.transfers) transfers[transfer.task] = transfer;
  std::vector<uint64_t> found(tasks);
  for (const int32_t index : step.order) {
    if (transfers.contains(index))
      simulation.transfer(transfers[index]);
    else if (const uint64_t read = simulation.run(index, step.task_origins[at(index)]);
             at(index) < tasks)
      found[at(index)] = read;
  }
  return found;
}

bool check(const StepProblem& step, double fraction) {
  const StepPlan plain = plan_step(step, {.work = 1'000'000});
  const auto budget = static_cast<int64_t>(fraction * static_cast<double>(plain.max_live_bytes));
  const auto found = spill_within(step, plain.order, budget);
  if (!found) return false;
  const StepPlan plan = plan_in_order(found->problem, found->order, {.work = 1'000'000});
  EXPECT_THAT(validate_plan(found->problem, plan), IsEmpty());
  EXPECT_EQ(reads(*found, step.tasks.size()), reads(step, plain.order));
  EXPECT_EQ(found->transfers.empty(), plain.max_live_bytes <= budget);
  return plan.max_live_bytes <= budget;
}

TEST(Spill, ChangesNothingWhereAllFits) {
  const StepProblem step = residual_step(4, 16, 4);
  const std::vector<int32_t> order = choose_order(step);
  const auto found = spill_within(step, order, int64_t{1} << 40);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->order, order);
  EXPECT_THAT(found->transfers, IsEmpty());
}

TEST(Spill, FitsAResidualNetworkIntoLittleMoreThanOneTaskNeeds) {
  const StepProblem step = residual_step(4, 16, 30);
  for (const double fraction : {0.9, 0.5, 0.3, 0.2}) EXPECT_TRUE(check(step, fraction)) << fraction;
  EXPECT_FALSE(check(step, 0.001));
}

TEST(Spill, IsSoundForWhateverAStepMayHold) {
  int found_count = 0;
  for (uint32_t seed = 0; seed < 300; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    StepProblem step = random_step(seed, 1 + static_cast<int32_t>(seed) % 60);
    if (seed % 4 != 0)
      for (Task& task : step.tasks) task.stage = 0;
    for (const double fraction : {0.95, 0.8, 0.6}) found_count += check(step, fraction);
  }
  EXPECT_GT(found_count, 30);
}

}  // namespace
}  // namespace plimsoll::plan
