#include "plimsoll/nn/layers/activity_penalties.h"

#include <gtest/gtest.h>

#include "plimsoll/nn/layers/activity_regularization.h"
#include "plimsoll/nn/layers/dense.h"
#include "plimsoll/nn/networks/sequential.h"

namespace plimsoll {
namespace {

const Tensor& two_rows() {
  static const Tensor x = constant(std::vector<float>{1, -2, 3, 4}, {2, 2});
  return x;
}

TEST(ActivityPenalties, AreDividedByTheBatch) {
  const ActivityRegularization layer({.l1 = 0.5, .l2 = 0.1});
  const ActivityPenalties activity;
  EXPECT_EQ(layer(two_rows()).to_vector(), two_rows().to_vector());
  ASSERT_EQ(activity.penalties().size(), 1u);
  EXPECT_NEAR(activity.penalties()[0].item(), (0.5 * 10 + 0.1 * 30) / 2, 1e-6);
}

TEST(ActivityPenalties, ComeFromLayersInsideAndFromEachCall) {
  const Layer inner =
      Dense({.units = 3, .kernel_initializer = "ones", .activity_regularizer = "l1"});
  SequentialBody model({inner}, "m");
  const ActivityPenalties activity;
  model({two_rows()}, {});
  model({two_rows()}, {});
  ASSERT_EQ(activity.penalties().size(), 2u);
  EXPECT_NEAR(activity.penalties()[1].item(), 0.01 * 3 * (1 + 7) / 2, 1e-6);
}

TEST(ActivityPenalties, GoToTheInnermostAndNowhereWithoutOne) {
  const ActivityRegularization layer({.l1 = 1});
  layer(two_rows());
  const ActivityPenalties outer;
  {
    const ActivityPenalties inner;
    layer(two_rows());
    EXPECT_EQ(inner.penalties().size(), 1u);
  }
  EXPECT_TRUE(outer.penalties().empty());
}

}  // namespace
}  // namespace plimsoll
