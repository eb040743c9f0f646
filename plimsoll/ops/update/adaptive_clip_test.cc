#include "plimsoll/ops/update/adaptive_clip.h"

#include <gtest/gtest.h>

#include "plimsoll/base/error.h"
#include "plimsoll/graph/node.h"
#include "tests/support/op_check.h"

namespace plimsoll {
namespace {

TEST(ClipUnits, ShortensColumnsToAShareOfTheirWeights) {
  for (const Shape& shape : {Shape{7}, Shape{1, 5}, Shape{4, 6}, Shape{3, 3, 2, 5}, Shape{0, 4}})
    for (const double scale : {1.0, 0.25})
      testing::check_op(
          {.title = shape.to_string(),
           .op = clip_units(placeholder({{}, shape}), placeholder({{}, shape}), 0.5, scale)
                     .value()
                     .node->op,
           .inputs = {{{}, shape}, {{}, shape}},
           .check_gradient = false});
}

TEST(ClipUnits, LeavesWhatIsWithinTheLimit) {
  const Tensor gradient = constant(std::vector<float>{3.0f, 0.1f, 4.0f, 0.2f}, {2, 2});
  const Tensor weight = constant(std::vector<float>{1.0f, 1.0f, 0.0f, 0.0f}, {2, 2});
  const std::vector<float> clipped = clip_units(gradient, weight, 0.5, 1).to_vector();
  EXPECT_FLOAT_EQ(clipped[0], 0.3f);  // the norm of the column is 5, and may be 0.5
  EXPECT_FLOAT_EQ(clipped[2], 0.4f);
  EXPECT_FLOAT_EQ(clipped[1], 0.1f);
  EXPECT_FLOAT_EQ(clipped[3], 0.2f);
}

// Weights that begin with 0 must be able to learn; squares must not overflow.
TEST(ClipUnits, CountsSmallWeightsAsAThousandth) {
  const Tensor zeros = constant(std::vector<float>{0.0f, 0.0f}, {2});
  const std::vector<float> clipped =
      clip_units(constant(std::vector<float>{3e30f, 4e30f}, {2}), zeros, 0.5, 1).to_vector();
  EXPECT_FLOAT_EQ(clipped[0], 0.3e-3f);
  EXPECT_FLOAT_EQ(clipped[1], 0.4e-3f);
}

TEST(ClipByHistory, ShortensToThePercentile) {
  for (const double percentile : {10.0, 50.0, 100.0})
    for (const double count : {0.0, 3.0, 9.0, 25.0})
      testing::check_op({.title = "after so many",
                         .op = clip_by_history(placeholder({{}, {8}}), scalar(0, DType::int64),
                                               scalar(1), percentile)
                                   .history.value()
                                   .node->op,
                         .inputs = {{{}, {8}}, {DType::int64, {}}, {}},
                         .ranges = {{0, 4}, {count, count}, {2, 6}},
                         .check_gradient = false});
}

TEST(ClipByHistory, DoesNotDivideByANormOfZero) {
  const Tensor none = constant(std::vector<float>{0.0f, 0.0f}, {2});
  const HistoryClip clip = clip_by_history(none, scalar(0, DType::int64), scalar(0), 10);
  EXPECT_EQ(clip.factor.item(), 1);
}

TEST(AdaptiveClip, RefusesWhatDoesNotFit) {
  const Tensor norms = placeholder({{}, {8}}), count = scalar(0, DType::int64);
  EXPECT_THROW(clip_units(norms, scalar(1), 0.1, 1), InvalidArgument);
  EXPECT_THROW(clip_by_history(norms, scalar(1), scalar(1), 10), InvalidArgument);
  EXPECT_THROW(clip_by_history(scalar(1), count, scalar(1), 10), InvalidArgument);
}

}  // namespace
}  // namespace plimsoll
