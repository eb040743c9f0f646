#include "plimsoll/train/memory/largest_batch.h"

#include <gtest/gtest.h>

namespace plimsoll {
namespace {

struct Found {
  LargestBatch batch;
  int plans = 0;
};

Found search(int64_t fixed, int64_t each, int64_t budget, int64_t first = 32) {
  Found found;
  found.batch = largest_batch(
      [&](int64_t batch) {
        ++found.plans;
        return (fixed + each * batch + 99) / 100 * 100;  // rounded, as arenas are
      },
      budget, first);
  return found;
}

TEST(LargestBatch, IsTheLastThatFits) {
  for (int64_t fixed : {0, 1000, 123456})
    for (int64_t each : {1, 7, 100, 5000})
      for (int64_t budget : {200, 5000, 200000, 3333333}) {
        const LargestBatch found = search(fixed, each, budget).batch;
        const auto peak = [&](int64_t batch) { return (fixed + each * batch + 99) / 100 * 100; };
        EXPECT_TRUE(found.size == 0 || peak(found.size) <= budget);
        EXPECT_TRUE(found.is_most || peak(found.size + 1) > budget);
      }
}

TEST(LargestBatch, NeedsFewPlansWhereMemoryGrowsInALine) {
  EXPECT_EQ(search(300'000, 75'000, 20'000'000).batch.size, 262);
  EXPECT_LE(search(300'000, 75'000, 20'000'000).plans, 6);
  EXPECT_LE(search(300'000, 75'000, 20'000'000, 4096).plans, 6);
}

TEST(LargestBatch, IsRoughWithATolerance) {
  int plans = 0;
  const auto peak = [&](int64_t batch) {
    ++plans;
    return batch * batch;  // no line: the guesses are bad
  };
  const LargestBatch found = largest_batch(peak, 1'000'000, 32, 1 << 16, 1.25);
  EXPECT_LE(found.size, 1000);
  EXPECT_GE(found.size, 800);
  EXPECT_TRUE(found.is_rough);
  EXPECT_LE(plans, 16);
}

TEST(LargestBatch, SaysWhereNothingFitsAndWhereItStoppedLooking) {
  EXPECT_EQ(search(1000, 1, 900).batch.size, 0);
  EXPECT_TRUE(search(0, 1, 1 << 30).batch.is_most);
  EXPECT_FALSE(search(0, 1, 20000).batch.is_most);
}

TEST(LargestBatch, IsSaidWithoutAClaimToBeTheLargest) {
  const MemoryBudget budget{.bytes = 1 << 20, .is_given = true};
  EXPECT_EQ(to_string(LargestBatch{.size = 24}, budget),
            "batches of up to 24 fit in 1.0 MiB (--memory) without saving memory");
  EXPECT_EQ(to_string(LargestBatch{.size = 24, .is_most = true}, budget),
            "batches of up to 24 fit in 1.0 MiB (--memory) without saving memory; larger ones were "
            "not tried");
  EXPECT_EQ(to_string(LargestBatch{}, budget),
            "no batch fits in 1.0 MiB (--memory) without saving memory");
}

TEST(LargestBatch, EndsWhereMemoryDoesNotGrow) {
  EXPECT_TRUE(search(500, 0, 600).batch.is_most);
  EXPECT_EQ(search(500, 0, 400).batch.size, 0);
}

}  // namespace
}  // namespace plimsoll
