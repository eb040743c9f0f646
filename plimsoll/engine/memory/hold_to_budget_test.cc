#include "plimsoll/engine/memory/hold_to_budget.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace plimsoll {
namespace {

constexpr int64_t kMiB = int64_t{1} << 20;

// A run whose arena grows with the samples that run at once, down to a least size.
class FakeRun final : public Candidates {
 public:
  SavingWays ways_of = {.batch_size = 64, .smaller_parts = true};
  bool is_partable = true;
  std::vector<Saving> compiled;

  SavingWays ways() const override { return ways_of; }
  bool may_part() override { return is_partable; }
  Trial compile(const Saving& saving) override {
    compiled.push_back(saving);
    const int64_t samples = saving.part_size == 0 ? ways_of.batch_size : saving.part_size;
    const int64_t plain = samples * 4 * kMiB, least = samples * kMiB;
    int64_t arena = plain;
    if (saving.smallest) arena = least;
    if (saving.arena_budget && *saving.arena_budget >= least)
      arena = std::min(plain, *saving.arena_budget);
    const int64_t rest = 100 * kMiB + (saving.part_size > 0 ? 10 * kMiB : 0);
    return {.peak_bytes = rest + arena,
            .rest_bytes = rest,
            .arena_bytes = arena,
            .seconds = 1 + static_cast<double>(plain - arena) / static_cast<double>(plain) +
                       (saving.part_size > 0 ? 10.0 / static_cast<double>(samples) : 0)};
  }
};

TEST(HoldToBudget, SavesNothingWhereThereIsRoom) {
  FakeRun run;
  const Held held = hold_to_budget(run, 400 * kMiB);
  EXPECT_TRUE(held.is_within);
  EXPECT_EQ(held.saving, Saving{});
  EXPECT_EQ(run.compiled.size(), 1u);
}

TEST(HoldToBudget, TakesTheFastestWayThatIsWithin) {
  FakeRun run;
  const Held held = hold_to_budget(run, 300 * kMiB);
  EXPECT_TRUE(held.is_within);
  EXPECT_LE(held.trial.peak_bytes, 300 * kMiB);
  EXPECT_EQ(held.plain.peak_bytes, 356 * kMiB);
  EXPECT_EQ(held.saving, run.compiled.back());
  for (const int64_t part : {32, 16, 8})
    EXPECT_LE(held.trial.seconds, run.compile({.part_size = part}).seconds);
}

TEST(HoldToBudget, PartsOnlyWhatMayBeParted) {
  FakeRun run;
  run.is_partable = false;
  const Held held = hold_to_budget(run, 180 * kMiB);
  EXPECT_TRUE(held.is_within);
  EXPECT_EQ(held.saving.part_size, 0);
  EXPECT_FALSE(hold_to_budget(run, 150 * kMiB).is_within);
}

TEST(HoldToBudget, HasTheSmallestWhereNothingIsWithin) {
  FakeRun run;
  const Held held = hold_to_budget(run, 50 * kMiB);
  EXPECT_FALSE(held.is_within);
  EXPECT_LE(held.trial.peak_bytes, 114 * kMiB);
}

TEST(HoldToBudget, SucceedsInTheLeastPeakAndNotBelow) {
  FakeRun run;
  const int64_t least = least_peak(run);
  EXPECT_EQ(least, 111 * kMiB);
  EXPECT_TRUE(hold_to_budget(run, least).is_within);
  EXPECT_FALSE(hold_to_budget(run, least - kMiB).is_within);
}

TEST(HoldToBudget, CanBeAskedWhetherThereIsAWay) {
  FakeRun run;
  const Trial plain = run.compile({});
  const int64_t least = least_peak(run);
  for (const int64_t budget : {least - kMiB, least, least + 20 * kMiB, 300 * kMiB})
    EXPECT_EQ(reachable_peak(run, budget, plain) <= budget, hold_to_budget(run, budget).is_within)
        << budget;
  EXPECT_EQ(reachable_peak(run, least - kMiB, plain), least);
  run.is_partable = false;
  for (const int64_t budget : {150 * kMiB, 164 * kMiB, 180 * kMiB})
    EXPECT_EQ(reachable_peak(run, budget, plain) <= budget, hold_to_budget(run, budget).is_within);
}

TEST(HoldToBudget, DoesNotCompileAgainWhatWasTried) {
  FakeRun run;
  const Trial plain = run.compile({});
  run.compiled.clear();
  EXPECT_TRUE(hold_to_budget(run, 300 * kMiB, plain).is_within);
  EXPECT_EQ(std::ranges::count(run.compiled, Saving{}), 0);
}

}  // namespace
}  // namespace plimsoll
