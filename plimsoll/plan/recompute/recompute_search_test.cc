#include "plimsoll/plan/recompute/recompute_search.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <random>

#include "plimsoll/plan/order.h"
#include "plimsoll/plan/recompute/recompute.h"
#include "plimsoll/plan/sample_steps.h"

namespace plimsoll::plan {
namespace {

int64_t peak_without_drops(const RecomputeFacts& facts) {
  RecomputeWalk walk(facts);
  walk.run(Drops(facts));
  return walk.peak_bytes();
}

// The least of all ways to drop or keep what a walk without drops keeps.
double least_of_all_ways(const RecomputeFacts& facts, int64_t budget) {
  RecomputeWalk walk(facts);
  walk.run(Drops(facts));
  const std::vector<Idle> idles = walk.kept();
  EXPECT_LE(idles.size(), 14U);
  double least = std::numeric_limits<double>::infinity();
  for (uint32_t way = 0; way < uint32_t{1} << idles.size(); ++way) {
    Drops drops(facts);
    for (size_t i = 0; i < idles.size(); ++i)
      if ((way >> i & 1) != 0) drops.change(idles[i].place);
    if (walk.run(drops) && walk.peak_bytes() <= budget)
      least = std::min(least, walk.extra_seconds());
  }
  return least;
}

double found_extra_seconds(const RecomputeFacts& facts, int64_t budget) {
  const auto drops = RecomputeSearch(facts, budget).run();
  if (!drops) return std::numeric_limits<double>::infinity();
  RecomputeWalk walk(facts);
  EXPECT_TRUE(walk.run(*drops));
  EXPECT_LE(walk.peak_bytes(), budget);
  return walk.extra_seconds();
}

void expect_within(const StepProblem& step, double fraction, double times) {
  const std::vector<int32_t> order = choose_order(step);
  const RecomputeFacts facts(step, order);
  const auto budget =
      static_cast<int64_t>(fraction * static_cast<double>(peak_without_drops(facts)));
  const double bound = least_recompute_seconds(step, order, budget);
  EXPECT_GT(bound, 0);
  const double found = found_extra_seconds(facts, budget);
  EXPECT_GE(found, bound * 0.999);
  EXPECT_LE(found, bound * times) << fraction;
}

// Each layer halves the side and doubles the channels on the way down, and sees what was as large
// on the way up.
StepProblem u_net_step(int32_t levels) {
  StepBuilder b;
  std::vector<int32_t> outputs, skips;
  std::vector<std::vector<int32_t>> inputs;
  const auto layer = [&](std::vector<int32_t> from, int64_t bytes, double seconds) {
    outputs.push_back(b.run(from, bytes));
    inputs.push_back(std::move(from));
    b.step.tasks.back().seconds = seconds;
    return outputs.back();
  };
  int64_t bytes = 64 << levels;
  int32_t x = b.external(bytes);
  for (int32_t i = 0; i < levels; ++i, bytes /= 2) {
    skips.push_back(layer({layer({x}, bytes, 4)}, bytes, 8));
    x = layer({skips.back()}, bytes / 4, 0.5);
  }
  for (size_t i = skips.size(); i-- > 0;) {
    bytes *= 2;
    const int32_t up = layer({x}, bytes, 4);
    x = layer({layer({layer({skips[i], up}, 2 * bytes, 1)}, bytes, 8)}, bytes, 8);
  }
  std::vector<int32_t> gradients(b.step.values.size() + 1, -1);
  gradients[static_cast<size_t>(x)] = b.run({x}, bytes);
  for (size_t i = outputs.size(); i-- > 0;) {
    const int32_t gradient = gradients[static_cast<size_t>(outputs[i])];
    for (const int32_t input : inputs[i]) {
      int32_t& sum = gradients[static_cast<size_t>(input)];
      const int32_t part =
          b.run({gradient, outputs[i], input}, b.step.values[static_cast<size_t>(input)].bytes);
      b.step.tasks.back().seconds = 8;
      sum = sum < 0 ? part : b.run_in_place({sum, part});
    }
  }
  return b.step;
}

// Convolutions are dear, all else is cheap.
StepProblem costed_residual_step(int32_t blocks) {
  StepProblem step = residual_step(4, 16, blocks);
  for (Task& task : step.tasks) task.seconds = task.scratch_bytes > 0 ? 10 : 1;
  return step;
}

// What is kept is dear and what it is made of is cheap, so that the bound is close.
StepProblem costed_chain_step(size_t layers) {
  StepProblem step = mlp_step(std::vector<int64_t>(layers + 1, 64), 4096);
  for (Task& task : step.tasks) task.seconds = task.may_overwrite.empty() ? 0.1 : 1;
  return step;
}

// Each task reads two of the layers before; then each value is read once more, from the last to the
// first.
StepProblem layered_step(uint32_t seed, int32_t layers, int32_t width, uint32_t reach) {
  std::mt19937 random(seed);
  StepBuilder b;
  std::vector<int32_t> made(static_cast<size_t>(width), b.external(1000));
  const auto below = [&](size_t limit) { return static_cast<size_t>(random()) % limit; };
  for (int32_t i = 0; i < layers * width; ++i) {
    const size_t window = std::min(made.size(), static_cast<size_t>(width) * reach);
    const auto any = [&] { return made[made.size() - 1 - below(window)]; };
    made.push_back(b.run({any(), any()}, static_cast<int64_t>(1000 * (1 + below(9)))));
    b.step.tasks.back().seconds = static_cast<double>(1 + below(9));
  }
  int32_t gradient = made.back();
  for (size_t i = made.size(); i-- > static_cast<size_t>(width);) {
    gradient = b.run({gradient, made[i]}, 1000);
    b.step.tasks.back().seconds = 1;
  }
  return b.step;
}

TEST(RecomputeSearch, StaysWithinAFewTimesTheBoundForResidualNetworks) {
  expect_within(costed_residual_step(16), 0.8, 2.2);
  expect_within(costed_residual_step(16), 0.5, 2.9);
  expect_within(costed_residual_step(16), 0.3, 2.5);
}

TEST(RecomputeSearch, StaysWithinAFewTimesTheBoundForChains) {
  expect_within(costed_chain_step(60), 0.8, 1.25);
  expect_within(costed_chain_step(60), 0.5, 1.25);
}

TEST(RecomputeSearch, StaysWithinAFewTimesTheBoundForUNets) {
  expect_within(u_net_step(4), 0.8, 1.5);
  expect_within(u_net_step(4), 0.6, 2);
}

TEST(RecomputeSearch, IsAsGoodAsTryingAllWaysOfSmallSteps) {
  for (const StepProblem& step :
       {costed_chain_step(6), costed_residual_step(1), layered_step(1, 3, 3, 2),
        layered_step(2, 5, 2, 1), layered_step(3, 4, 2, 2)}) {
    const std::vector<int32_t> order = choose_order(step);
    const RecomputeFacts facts(step, order);
    const int64_t peak = peak_without_drops(facts);
    for (int64_t percent = 95; percent >= 40; percent -= 15) {
      const double least = least_of_all_ways(facts, peak * percent / 100);
      EXPECT_LE(found_extra_seconds(facts, peak * percent / 100), least) << percent;
    }
  }
}

TEST(RecomputeSearch, EndsSoonWhateverTheStep) {
  for (uint32_t seed = 0; seed < 2; ++seed) {
    const StepProblem step = layered_step(seed, 250, 4, 1 + 2 * seed);
    const std::vector<int32_t> order = choose_order(step);
    const RecomputeFacts facts(step, order);
    for (const int64_t percent : {60, 5}) {
      RecomputeSearch search(facts, peak_without_drops(facts) * percent / 100);
      search.run();
      EXPECT_LT(search.work(), 6'000'000);
    }
  }
}

TEST(RecomputeSearch, FindsTheSameTwice) {
  const StepProblem step = costed_residual_step(8);
  const std::vector<int32_t> order = choose_order(step);
  const RecomputeFacts facts(step, order);
  const int64_t budget = peak_without_drops(facts) / 2;
  const auto first = recompute_within(step, order, budget);
  const auto second = recompute_within(step, order, budget);
  ASSERT_TRUE(first && second);
  EXPECT_EQ(first->order, second->order);
  EXPECT_EQ(first->task_origins, second->task_origins);
}

}  // namespace
}  // namespace plimsoll::plan
