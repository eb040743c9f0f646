// How far assign_offsets gets on the hard problems that come with minimalloc.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "plimsoll/plan/offsets/offsets.h"
#include "plimsoll/plan/offsets/sample_problems.h"
#include "plimsoll/plan/validate.h"

namespace plimsoll::plan {
namespace {

using ::testing::IsEmpty;

struct HardCase {
  char name;
  int64_t arena_bytes;  // reached; the search is deterministic, so a change here is a change there
};

class Minimalloc : public ::testing::TestWithParam<HardCase> {};

TEST_P(Minimalloc, FitsIntoTheCapacityThatIsKnownToSuffice) {
  const std::string path = std::string(PLIMSOLL_SOURCE_DIR) + "/tests/data/minimalloc/" +
                           GetParam().name + ".1048576.csv";
  const OffsetProblem problem = read_minimalloc_csv(path);
  const OffsetSolution solution = assign_offsets(problem);
  EXPECT_THAT(validate_offsets(problem, solution), IsEmpty());
  EXPECT_LE(solution.arena_bytes, 1'048'576);
  EXPECT_EQ(solution.arena_bytes, GetParam().arena_bytes);
  RecordProperty("bytes_above_max_live",
                 std::to_string(solution.arena_bytes - max_live_bytes(problem)));
}

INSTANTIATE_TEST_SUITE_P(Challenging, Minimalloc,
                         ::testing::Values(HardCase{'A', 1'048'576}, HardCase{'B', 1'048'576},
                                           HardCase{'C', 1'039'360}, HardCase{'D', 1'010'688},
                                           HardCase{'E', 1'048'576}, HardCase{'F', 1'048'576},
                                           HardCase{'G', 1'048'576}, HardCase{'H', 1'048'576},
                                           HardCase{'I', 1'048'576}, HardCase{'J', 1'033'216},
                                           HardCase{'K', 1'048'576}),
                         [](const auto& test) { return std::string(1, test.param.name); });

}  // namespace
}  // namespace plimsoll::plan
