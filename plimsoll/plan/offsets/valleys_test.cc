#include "plimsoll/plan/offsets/valleys.h"

#include <gtest/gtest.h>

namespace plimsoll::plan {
namespace {

// The example at the top of valleys.h.
struct ValleyOfThePicture : ::testing::Test {
  ValleyOfThePicture() {
    skyline.place(0);
    skyline.place(1);
  }

  Skyline skyline{{{3, 0, 1}, {2, 2, 3}, {2, 1, 2}, {1, 2, 3}}, 6};
  ValleyView valleys{skyline};
  const std::vector<int32_t> waiting = {2, 3};
  const std::vector<double> weights = {1, 1, 1, 1};
  const Part part{1, 3};  // no waiting block covers section 0
};

TEST_F(ValleyOfThePicture, IsDecidedInItsSectionOfLeastSlack) {
  const Choice choice = valleys.most_constrained(waiting, part, weights);
  EXPECT_EQ(choice.section, 2);
  EXPECT_EQ(choice.valley.left, 2);
  EXPECT_EQ(choice.valley.right, 3);
  EXPECT_EQ(choice.options, 2);
}

TEST_F(ValleyOfThePicture, IsWastedUpToWhereTheNextBlockCanLie) {
  const Choice choice = valleys.most_constrained(waiting, part, weights);
  EXPECT_EQ(valleys.lowest_floor_above(waiting, part, choice), 3);
}

TEST_F(ValleyOfThePicture, HasOneOptionWhereWasteIsMoreThanTheSlack) {
  Skyline tight({{3, 0, 1}, {2, 2, 3}, {2, 1, 2}, {1, 2, 3}}, 5);
  tight.place(0);
  tight.place(1);
  ValleyView view(tight);
  const Choice choice = view.most_constrained(waiting, part, weights);
  EXPECT_EQ(choice.section, 2);
  EXPECT_EQ(choice.options, 1);
}

}  // namespace
}  // namespace plimsoll::plan
