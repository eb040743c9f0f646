#include "plimsoll/plan/offsets/offsets.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "plimsoll/base/error.h"
#include "plimsoll/plan/offsets/sample_problems.h"
#include "plimsoll/plan/validate.h"

namespace plimsoll::plan {
namespace {

using ::testing::IsEmpty;

TEST(MaxLive, CountsBuffersThatShareAMoment) {
  const OffsetProblem problem{{{10, 0, 1}, {20, 1, 2}, {25, 2, 2}}, 1};
  EXPECT_EQ(max_live_bytes(problem), 45);
  EXPECT_EQ(live_peak(problem).moment, 2);
}

TEST(MaxLive, CountsSizesRoundedUpToTheAlignment) {
  EXPECT_EQ(max_live_bytes({{{1, 0, 0}, {65, 0, 0}, {0, 0, 0}}, 64}), 192);
}

TEST(MaxLive, EndsABufferBeforeTheNextMomentBegins) {
  EXPECT_EQ(max_live_bytes({{{10, 0, 4}, {10, 5, 9}}, 1}), 10);
}

TEST(AssignOffsets, NeedsNothingForNothing) {
  EXPECT_EQ(assign_offsets({}).arena_bytes, 0);
  EXPECT_EQ(assign_offsets({{{0, 0, 3}}, 64}).arena_bytes, 0);
}

TEST(AssignOffsets, ReusesTheBytesOfTheDead) {
  const OffsetSolution solution = assign_offsets({{{100, 0, 1}, {100, 2, 3}}, 4});
  EXPECT_EQ(solution.offsets[0], solution.offsets[1]);
  EXPECT_EQ(solution.arena_bytes, 100);
}

TEST(AssignOffsets, RefusesWhatMakesNoSense) {
  EXPECT_THROW(assign_offsets({{{-1, 0, 0}}, 64}), InvalidArgument);
  EXPECT_THROW(assign_offsets({{{1, 3, 2}}, 64}), InvalidArgument);
  EXPECT_THROW(assign_offsets({{{1, 0, 0}}, 0}), InvalidArgument);
}

TEST(AssignOffsets, NeverOverlapsLiveBuffers) {
  for (uint32_t seed = 0; seed < 200; ++seed) {
    const OffsetProblem problem = random_offset_problem(seed, 1 + static_cast<int32_t>(seed));
    const OffsetSolution solution = assign_offsets(problem, {.work = 2'000'000});
    EXPECT_THAT(validate_offsets(problem, solution), IsEmpty()) << "seed " << seed;
    EXPECT_GE(solution.arena_bytes, max_live_bytes(problem)) << "seed " << seed;
  }
}

TEST(AssignOffsets, StopsAtASizeThatIsEnough) {
  int stopped = 0;
  for (uint32_t seed = 0; seed < 100; ++seed) {
    const OffsetProblem problem = random_offset_problem(seed, 1 + static_cast<int32_t>(seed));
    const int64_t least = assign_offsets(problem, {.work = 2'000'000}).arena_bytes;
    const int64_t enough = least + least / 10;
    const OffsetSolution solution =
        assign_offsets(problem, {.work = 2'000'000, .enough_bytes = enough});
    EXPECT_THAT(validate_offsets(problem, solution), IsEmpty()) << "seed " << seed;
    EXPECT_LE(solution.arena_bytes, enough) << "seed " << seed;
    stopped += solution.arena_bytes > least ? 1 : 0;
  }
  EXPECT_GT(stopped, 0);
}

TEST(AssignOffsets, FindsASolutionWithoutAnyGapWhereThereIsOne) {
  for (uint32_t seed = 0; seed < 20; ++seed) {
    const OffsetProblem problem = perfect_offset_problem(seed, 40, 1000);
    const OffsetSolution solution = assign_offsets(problem);
    EXPECT_THAT(validate_offsets(problem, solution), IsEmpty()) << "seed " << seed;
    EXPECT_EQ(solution.arena_bytes, 1000) << "seed " << seed;
  }
}

TEST(AssignOffsets, GivesTheSameAnswerTwice) {
  const OffsetProblem problem = perfect_offset_problem(7, 150, 100'000);
  const OffsetOptions options{.work = 20'000'000};
  EXPECT_EQ(assign_offsets(problem, options).offsets, assign_offsets(problem, options).offsets);
}

TEST(AssignOffsets, StaysSoundWithoutAnyWork) {
  const OffsetProblem problem = perfect_offset_problem(3, 100, 5000);
  EXPECT_THAT(validate_offsets(problem, assign_offsets(problem, {.work = 0})), IsEmpty());
}

}  // namespace
}  // namespace plimsoll::plan
