#include "plimsoll/ops/op_list.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace plimsoll {
namespace {

TEST(OpList, IsSortedAndHoldsEachNameOnce) {
  const auto names = op_names();
  EXPECT_TRUE(std::ranges::is_sorted(names));
  EXPECT_EQ(std::ranges::adjacent_find(names), names.end());
}

}  // namespace
}  // namespace plimsoll
