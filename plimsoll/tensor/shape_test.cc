#include "plimsoll/tensor/shape.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "plimsoll/base/error.h"
#include "plimsoll/tensor/layout.h"

namespace plimsoll {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

TEST(Shape, PrintsAsKerasDoes) {
  EXPECT_EQ((Shape{32, 28, 1}.to_string()), "(32, 28, 1)");
  EXPECT_EQ(Shape{5}.to_string(), "(5,)");
  EXPECT_EQ(Shape{}.to_string(), "()");
}

TEST(Shape, AScalarHasOneElement) {
  EXPECT_EQ(Shape{}.elements(), 1);
  EXPECT_EQ((Shape{3, 0, 2}.elements()), 0);
}

TEST(Shape, GainsAndLosesAxes) {
  EXPECT_EQ((Shape{2, 3}.with(1, 9)), (Shape{2, 9, 3}));
  EXPECT_EQ((Shape{2, 3}.with(2, 9)), (Shape{2, 3, 9}));
  EXPECT_EQ((Shape{2, 3, 4}.without(1)), (Shape{2, 4}));
}

TEST(Shape, RefusesMoreThanEightAxes) {
  EXPECT_THROW((Shape{1, 1, 1, 1, 1, 1, 1, 1, 1}), InvalidArgument);
}

TEST(Broadcast, FollowsNumPy) {
  EXPECT_EQ(broadcast({4, 1, 3}, {2, 1}, "add"), (Shape{4, 2, 3}));
  EXPECT_EQ(broadcast({}, {2, 1}, "add"), (Shape{2, 1}));
  EXPECT_EQ(broadcast({0}, {1}, "add"), (Shape{0}));
  EXPECT_THAT(
      [] {
        broadcast({2, 3}, {2}, "add");
      },
      ThrowsMessage<InvalidArgument>(HasSubstr("(2, 3) and (2,) do not broadcast")));
}

TEST(Axis, CountsFromEitherEnd) {
  EXPECT_EQ(normalize_axis(-1, 3, "sum"), 2);
  EXPECT_THAT([] { normalize_axis(3, 3, "sum"); },
              ThrowsMessage<InvalidArgument>(HasSubstr("sum: axis 3")));
}

TEST(Layout, BlockedPutsEachElementInItsOwnPlace) {
  const Shape shape{2, 3, 5, 16};
  const Layout layout = Layout::blocked(8);
  const ChannelView view = ChannelView::of(shape, layout);
  EXPECT_EQ(view.outer, 2);
  EXPECT_EQ(view.blocks, 2);
  EXPECT_EQ(view.inner, 15);
  EXPECT_EQ(view.lanes, 8);
  std::vector<int> hits(static_cast<size_t>(shape.elements()));
  for (int64_t i = 0; i < shape.elements(); ++i)
    ++hits.at(static_cast<size_t>(offset_of(i, shape, layout)));
  EXPECT_THAT(hits, testing::Each(1));
  // Element (1, 2, 4, 9): second block, lane 1.
  EXPECT_EQ(offset_of(((1 * 3 + 2) * 5 + 4) * 16 + 9, shape, layout),
            ((1 * 2 + 1) * 15 + 14) * 8 + 1);
}

}  // namespace
}  // namespace plimsoll
