#include "plimsoll/plan/offsets/placement_search.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "plimsoll/plan/offsets/greedy_offsets.h"
#include "plimsoll/plan/offsets/sample_problems.h"
#include "plimsoll/plan/validate.h"

namespace plimsoll::plan {
namespace {

using ::testing::IsEmpty;
using Verdict = PlacementResult::Verdict;

// Some order of placing each buffer as low as it goes leads to every best solution.
int64_t best_of_all_orders(const OffsetProblem& problem) {
  std::vector<int32_t> order(problem.buffers.size());
  std::iota(order.begin(), order.end(), 0);
  int64_t best = place_in_order(problem, order, Gap::lowest).arena_bytes;
  while (std::next_permutation(order.begin(), order.end())) {
    best = std::min(best, place_in_order(problem, order, Gap::lowest).arena_bytes);
  }
  return best;
}

TEST(PlacementSearch, AgreesWithTryingAllOrders) {
  for (uint32_t seed = 0; seed < 150; ++seed) {
    std::mt19937 random(seed);
    OffsetProblem problem{.alignment = 1};
    for (int32_t i = 0; i < 7; ++i) {
      const int32_t first = static_cast<int32_t>(random() % 6);
      const int32_t last = first + static_cast<int32_t>(random() % 4);
      problem.buffers.push_back({static_cast<int64_t>(random() % 9), first, last});
    }
    const int64_t best = best_of_all_orders(problem);
    const PlacementResult result = place_within(problem, best, 100'000'000);
    ASSERT_EQ(result.verdict, Verdict::possible) << "seed " << seed;
    EXPECT_THAT(validate_offsets(problem, result.solution), IsEmpty()) << "seed " << seed;
    EXPECT_EQ(result.solution.arena_bytes, best) << "seed " << seed;
    if (best == 0) continue;
    EXPECT_EQ(place_within(problem, best - 1, 100'000'000).verdict, Verdict::impossible)
        << "seed " << seed;
  }
}

TEST(PlacementSearch, GivesUpWhenItsWorkIsSpent) {
  const OffsetProblem problem = perfect_offset_problem(1, 300, 1'000'000);
  const PlacementResult result = place_within(problem, 1'000'000, 10'000);
  EXPECT_EQ(result.verdict, Verdict::gave_up);
  EXPECT_LT(result.work, 20'000);
}

TEST(PlacementSearch, PlacesNothingInNothing) {
  EXPECT_EQ(place_within({{{0, 0, 5}}, 64}, 0, 1000).verdict, Verdict::possible);
}

}  // namespace
}  // namespace plimsoll::plan
