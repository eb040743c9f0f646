#include "plimsoll/data/stages/numpy_shuffle.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "plimsoll/base/error.h"

namespace plimsoll {
namespace {

using ::testing::ElementsAre;

// What NumPy 2.4 makes of list(range(n)) by RandomState(seed).shuffle.
TEST(NumpyShuffle, IsTheOrderOfNumpy) {
  EXPECT_THAT(numpy_shuffle(10, 123), ElementsAre(4, 0, 7, 5, 8, 3, 1, 6, 9, 2));
  EXPECT_THAT(numpy_shuffle(2, 7), ElementsAre(0, 1));
  EXPECT_THAT(numpy_shuffle(1, 5), ElementsAre(0));
  EXPECT_TRUE(numpy_shuffle(0, 5).empty());
}

// The sum of each number times its place differs from order to order.
TEST(NumpyShuffle, IsTheOrderOfNumpyForManyRecordsToo) {
  const auto sum = [](const std::vector<uint32_t>& order) {
    uint64_t total = 0;
    for (size_t i = 0; i < order.size(); ++i) total += i * order[i];
    return total;
  };
  EXPECT_EQ(sum(numpy_shuffle(100, 0)), 252513u);
  EXPECT_EQ(sum(numpy_shuffle(1000, 42)), 251374799u);
  EXPECT_EQ(sum(numpy_shuffle(70000, 4294967295)), 85782044852776u);
}

TEST(NumpyShuffle, TakesTheLowerBitsOfASeedThatNumpyRefuses) {
  EXPECT_EQ(numpy_shuffle(10, (int64_t{1} << 32) + 123), numpy_shuffle(10, 123));
  EXPECT_EQ(numpy_shuffle(10, -1), numpy_shuffle(10, 4294967295));
}

TEST(NumpyShuffle, RefusesMoreRecordsThanItsNumbersCount) {
  EXPECT_THROW(numpy_shuffle(int64_t{1} << 32, 0), InvalidArgument);
}

}  // namespace
}  // namespace plimsoll
