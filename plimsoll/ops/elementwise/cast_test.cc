#include <gtest/gtest.h>

#include <limits>

#include "plimsoll/graph/node.h"
#include "plimsoll/ops/elementwise/elementwise.h"
#include "tests/support/op_check.h"

namespace plimsoll {
namespace {

constexpr DType kDTypes[] = {DType::float32, DType::int32, DType::int64, DType::uint8,
                             DType::boolean};

void check(DType from, DType to, const std::vector<double>& values) {
  const Specs inputs = {{from, {static_cast<int64_t>(values.size())}}};
  testing::check_op(
      {.title = "cast",
       .op = testing::recorded_op([&](const Tensors& in) { return cast(in[0], to); }, inputs),
       .inputs = inputs,
       .values = {values},
       .check_gradient = false});
}

TEST(Cast, GoesBetweenEveryPairOfDTypes) {
  for (const DType from : kDTypes)
    for (const DType to : kDTypes) {
      if (from == to) continue;
      std::vector<double> values = {0, 1, 1, 0, 1};
      if (from != DType::boolean) values.insert(values.end(), {2, 3, 100, 255, 7});
      if (from != DType::boolean && from != DType::uint8) values.insert(values.end(), {-1, -300});
      if (from == DType::float32) values.insert(values.end(), {0.9, -0.9, 2.5, -2.5, 254.9});
      check(from, to, values);
    }
}

TEST(Cast, KeepsBlocksOfChannels) {
  for (const DType to : {DType::int32, DType::boolean}) {
    const Specs inputs = {{DType::float32, {2, 3, 16}}};
    testing::check_op(
        {.title = "blocks",
         .op = testing::recorded_op([&](const Tensors& in) { return cast(in[0], to); }, inputs),
         .inputs = inputs,
         .check_gradient = false});
  }
}

TEST(Cast, KeepsFloatsWithinTheIntegersRange) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
  for (const DType to : {DType::int32, DType::uint8})
    check(DType::float32, to, {1e20, -1e20, kInfinity, -kInfinity, kNaN, 256, 2147483648.0});
  check(DType::float32, DType::int64, {kNaN, 0x1p62, -0x1p62});
}

TEST(Cast, ToTheSameDTypeIsNoOp) {
  const Tensor x = placeholder({DType::int32, {3}});
  EXPECT_EQ(cast(x, DType::int32).value(), x.value());
}

}  // namespace
}  // namespace plimsoll
