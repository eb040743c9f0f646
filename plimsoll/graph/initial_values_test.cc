#include "plimsoll/graph/initial_values.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "plimsoll/graph/variable.h"

namespace plimsoll {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(InitialValues, AreWrittenAtOnceUnlessToldOtherwise) {
  std::vector<int> filled;
  fill_initially([&] { filled.push_back(1); });
  EXPECT_THAT(filled, ElementsAre(1));
}

TEST(InitialValues, WaitInTheirOrder) {
  std::vector<int> filled;
  LaterInitialValues later;
  for (const int i : {1, 2, 3}) fill_initially([&filled, i] { filled.push_back(i); });
  EXPECT_THAT(filled, IsEmpty());
  later.fill();
  EXPECT_THAT(filled, ElementsAre(1, 2, 3));
  later.fill();
  EXPECT_THAT(filled, ElementsAre(1, 2, 3));
}

TEST(InitialValues, AreDroppedWhereTheyAreNotWanted) {
  bool is_filled = false;
  LaterInitialValues later;
  {
    const WithoutInitialValues never;
    fill_initially([&] { is_filled = true; });
  }
  later.fill();
  EXPECT_FALSE(is_filled);
}

TEST(InitialValues, TakeNoMemoryBeforeTheyAreWritten) {
  constexpr int64_t kBytes = int64_t{1} << 20;
  LaterInitialValues later;
  Variable weight("weight", {DType::float32, {kBytes / 4}});
  EXPECT_GE(weight.state()->storage.untouched_bytes(), kBytes - 8192);
  weight.set(std::vector<float>(kBytes / 4, 1.0f));
  EXPECT_EQ(weight.state()->storage.untouched_bytes(), 0);
}

}  // namespace
}  // namespace plimsoll
