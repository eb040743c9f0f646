#include "plimsoll/plan/offsets/skyline.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace plimsoll::plan {
namespace {

using ::testing::ElementsAre;

TEST(Sections, AreAsFewAsTellWhichBuffersMeet) {
  const std::vector<Buffer> buffers = {{1, 0, 5}, {1, 2, 9}, {1, 6, 7}, {1, 20, 30}};
  std::vector<std::pair<int32_t, int32_t>> ranges;
  for (const Block& block : to_blocks(buffers)) ranges.emplace_back(block.left, block.right);
  EXPECT_THAT(ranges,
              ElementsAre(std::pair(0, 0), std::pair(0, 1), std::pair(1, 1), std::pair(2, 2)));
}

// Two sections; a block over both and one over the second.
struct SkylineOfTwo : ::testing::Test {
  Skyline skyline{{{10, 0, 1}, {5, 1, 1}}, 20};
};

TEST_F(SkylineOfTwo, KnowsWhatEachSectionMayWaste) {
  EXPECT_EQ(skyline.slack(0), 10);
  EXPECT_EQ(skyline.slack(1), 5);
}

TEST_F(SkylineOfTwo, LiftsTheFloorUnderABlock) {
  skyline.place(0);
  skyline.place(1);
  EXPECT_THAT(skyline.offsets(), ElementsAre(0, 10));
  EXPECT_EQ(skyline.floor(0), 10);
  EXPECT_EQ(skyline.floor(1), 15);
  EXPECT_EQ(skyline.slack(1), 5);
}

TEST_F(SkylineOfTwo, ClosesSectionsThatNothingWaitsFor) {
  EXPECT_TRUE(skyline.is_open_to_next(0));
  skyline.place(0);
  EXPECT_FALSE(skyline.is_open_to_next(0));
  EXPECT_FALSE(skyline.is_open(0));
  EXPECT_TRUE(skyline.is_open(1));
}

TEST_F(SkylineOfTwo, UndoesEverything) {
  const uint64_t before = skyline.fingerprint(0) + skyline.fingerprint(1);
  skyline.waste(1, 3);
  skyline.waste(0, 3);
  skyline.place(0);
  EXPECT_NE(skyline.fingerprint(0) + skyline.fingerprint(1), before);
  skyline.undo_to(0);
  EXPECT_EQ(skyline.fingerprint(0) + skyline.fingerprint(1), before);
  EXPECT_EQ(skyline.floor(1), 0);
  EXPECT_EQ(skyline.slack(1), 5);
  EXPECT_FALSE(skyline.is_placed(0));
  EXPECT_TRUE(skyline.is_open_to_next(0));
}

// The example at the top of skyline.h.
TEST(Skyline, IsAsThePictureShows) {
  Skyline skyline({{3, 0, 1}, {2, 2, 3}, {2, 1, 2}, {1, 2, 3}}, 6);
  const auto floors = [&] {
    return std::vector{skyline.floor(0), skyline.floor(1), skyline.floor(2), skyline.floor(3)};
  };
  const auto slacks = [&] {
    return std::vector{skyline.slack(0), skyline.slack(1), skyline.slack(2), skyline.slack(3)};
  };
  skyline.place(0);
  skyline.place(1);
  EXPECT_THAT(floors(), ElementsAre(3, 3, 2, 2));
  EXPECT_THAT(slacks(), ElementsAre(3, 1, 1, 3));
  skyline.waste(2, 1);
  skyline.place(2);
  skyline.waste(3, 3);
  skyline.place(3);
  EXPECT_THAT(skyline.offsets(), ElementsAre(0, 0, 3, 5));
  EXPECT_THAT(floors(), ElementsAre(3, 5, 6, 6));
  EXPECT_THAT(slacks(), ElementsAre(3, 1, 0, 0));
}

}  // namespace
}  // namespace plimsoll::plan
