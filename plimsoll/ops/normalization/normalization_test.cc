#include "plimsoll/ops/normalization/normalization.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "plimsoll/base/error.h"
#include "plimsoll/graph/node.h"
#include "plimsoll/ops/normalization/channel_sum.h"
#include "plimsoll/ops/normalization/normalization_parts.h"
#include "tests/support/op_check.h"

namespace plimsoll {
namespace {

using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

// Small ones, for one thread, and such that several threads share.
std::vector<Shape> shapes() {
  return {{2, 3, 3, 8}, {3, 5, 16}, {7, 12}, {5, 3}, {2, 1}, {4, 40, 30, 16}, {2000, 24}};
}

bool is_small(const Shape& shape) {
  return shape.elements() < 1000;
}

double positions(const Shape& shape) {
  return static_cast<double>(shape.elements() / shape.back());
}

TEST(BatchNormalize, AgreesWithItsReference) {
  for (const Shape& shape : shapes()) {
    const Spec x{{}, shape}, channels{{}, {shape.back()}};
    const auto build = [](const Tensors& in) {
      return batch_normalize(in[0], in[1], in[2], 1e-3).y;
    };
    testing::check_op({.title = "",
                       .op = testing::recorded_op(build, {x, channels, channels}),
                       .inputs = {x, channels, channels},
                       .check_gradient = is_small(shape),
                       .tolerance_scale = 2});
  }
}

TEST(BatchNormalize, ComputesItsGradient) {
  for (const Shape& shape : shapes()) {
    const Spec x{{}, shape}, channels{{}, {shape.back()}};
    const BatchNormalized y =
        batch_normalize(placeholder(x), placeholder(channels), placeholder(channels), 1e-3);
    const Node& node = *y.y.value().node;
    const Tensor dx = node.op->gradient(node, {placeholder(x), {}, {}})[0];
    testing::check_op({.title = "",
                       .op = dx.value().node->op,
                       .inputs = {x, channels, channels, channels, x},
                       .ranges = {{-2, 2}, {-2, 2}, {-0.1, 0.1}, {0.5, 1.5}, {-2, 2}},
                       .check_gradient = false,
                       .reduction_length = positions(shape)});
  }
}

TEST(BatchNormalize, KeepsTheVarianceOfValuesFarFromZero) {
  const Spec x{{}, {64, 5, 5, 8}}, channels{{}, {8}};
  const auto build = [](const Tensors& in) { return batch_normalize(in[0], in[1], in[2], 1e-3).y; };
  testing::check_op({.title = "around 1000",
                     .op = testing::recorded_op(build, {x, channels, channels}),
                     .inputs = {x, channels, channels},
                     .ranges = {{999, 1001}},
                     .check_gradient = false,
                     .tolerance_scale = 100});  // x itself has only 13 bits after the point
}

TEST(BatchNormalize, RefusesCoefficientsOfOtherSizes) {
  const Tensor x = placeholder({{}, {2, 3, 8}}), good = placeholder({{}, {8}});
  EXPECT_THAT(
      [&] {
        batch_normalize(x, good, placeholder({{}, {7}}), 1e-3);
      },
      ThrowsMessage<InvalidArgument>(
          HasSubstr("expected float32 (8,), one per channel of x, found float32 (7,)")));
  EXPECT_THROW(batch_normalize(good, good, good, 1e-3), InvalidArgument);
  EXPECT_THROW(scale_shift(x, placeholder({{}, {1}}), good), InvalidArgument);
}

TEST(ScaleShift, AgreesWithItsReference) {
  for (const Shape& shape : shapes()) {
    const Spec x{{}, shape}, channels{{}, {shape.back()}};
    const auto build = [](const Tensors& in) { return scale_shift(in[0], in[1], in[2]); };
    const OpPtr op = testing::recorded_op(build, {x, channels, channels});
    testing::check_op({.title = "",
                       .op = op,
                       .inputs = {x, channels, channels},
                       .check_gradient = is_small(shape)});
    const Tensor y = scale_shift(placeholder(x), placeholder(channels), placeholder(channels));
    const Tensor dx = op->gradient(*y.value().node, {placeholder(x)})[0];
    testing::check_op({.title = "",
                       .op = dx.value().node->op,
                       .inputs = {x, channels, x},
                       .check_gradient = false,
                       .reduction_length = positions(shape)});
  }
}

TEST(ChannelSum, AddsAllPositionsOfAChannel) {
  for (const Shape& shape : shapes()) {
    const Spec x{{}, shape};
    testing::check_op(
        {.title = "",
         .op = testing::recorded_op([](const Tensors& in) { return channel_sum(in[0]); }, {x}),
         .inputs = {x},
         .check_gradient = is_small(shape),
         .reduction_length = positions(shape)});
  }
  EXPECT_THROW(channel_sum(placeholder({DType::int32, {3, 4}})), InvalidArgument);
}

TEST(BatchNormalizeInParts, AgreesWithItsReferences) {
  for (const Shape& shape : shapes()) {
    const Spec x{{}, shape}, channels{{}, {shape.back()}};
    testing::check_op({.title = "moments",
                       .op = batch_moments_op(),
                       .inputs = {x},
                       .check_gradient = false,
                       .reduction_length = positions(shape)});
    for (const bool relu : {false, true})
      testing::check_op({.title = relu ? "apply with relu" : "apply",
                         .op = batch_apply_op(1e-3, relu),
                         .inputs = {x, channels, channels, channels, channels},
                         .ranges = {{-2, 2}, {-2, 2}, {-2, 2}, {-0.1, 0.1}, {0.5, 1.5}},
                         .check_gradient = false,
                         .tolerance_scale = 2});
  }
}

}  // namespace
}  // namespace plimsoll
