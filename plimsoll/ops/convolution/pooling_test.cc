#include "plimsoll/ops/convolution/pooling.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "plimsoll/base/error.h"
#include "plimsoll/graph/node.h"
#include "plimsoll/ops/convolution/pooling_fusion.h"
#include "tests/support/op_check.h"

namespace plimsoll {
namespace {

using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

std::vector<PoolingOptions> many_options() {
  std::vector<PoolingOptions> all;
  for (const Padding padding : {Padding::valid, Padding::same})
    for (const auto& [size, strides] :
         std::vector<std::pair<std::array<int64_t, 2>, std::array<int64_t, 2>>>{
             {{2, 2}, {0, 0}},   // disjoint
             {{3, 2}, {0, 0}},   // with a margin
             {{3, 3}, {2, 2}},   // overlapping
             {{2, 3}, {1, 1}},   //
             {{2, 2}, {3, 3}},   // with gaps
             {{1, 1}, {2, 2}}})  //
      all.push_back({size, strides, padding});
  return all;
}

std::string title(const PoolingOptions& o) {
  return "pool " + std::to_string(o.pool_size[0]) + "x" + std::to_string(o.pool_size[1]) +
         " strides " + std::to_string(o.strides[0]) + "x" + std::to_string(o.strides[1]) +
         (o.padding == Padding::same ? " same" : " valid");
}

// The gradient op of `pool` and its inputs' specs, as autodiff records them for images x.
OpPtr gradient_of(const std::function<Tensor(const Tensor&)>& pool, const Spec& x, Specs& inputs) {
  const Tensor y = pool(placeholder(x));
  const Node& node = *y.value().node;
  const Tensor dx = node.op->gradient(node, {placeholder(y.spec()), {}})[0];
  inputs.clear();
  for (const Value& input : dx.value().node->inputs) inputs.push_back(Tensor(input).spec());
  return dx.value().node->op;
}

TEST(MaxPool2d, AgreesWithItsReference) {
  for (const PoolingOptions& options : many_options())
    for (const Shape& shape : {Shape{2, 9, 7, 8}, Shape{1, 6, 8, 16}, Shape{2, 5, 5, 3}})
      testing::check_op({.title = title(options),
                         .op = max_pool2d_op(options),
                         .inputs = {{{}, shape}},
                         .distinct_gap = 1e-3});
}

TEST(MaxPool2d, ReturnsTheGradientToTheMaximum) {
  Specs inputs;
  for (const PoolingOptions& options : many_options())
    for (const Shape& shape : {Shape{2, 9, 7, 8}, Shape{1, 6, 8, 16}, Shape{2, 5, 5, 3}}) {
      const OpPtr op =
          gradient_of([&](const Tensor& x) { return max_pool2d(x, options); }, {{}, shape}, inputs);
      const auto positions = static_cast<double>(options.pool_size[0] * options.pool_size[1]);
      testing::check_op({.title = title(options),
                         .op = op,
                         .inputs = inputs,
                         .ranges = {{0, positions - 1}},
                         .check_gradient = false,
                         .reduction_length = positions});
    }
}

TEST(MaxPool2d, TakesTheFirstMaximumAndANaNBeforeAll) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double inf = std::numeric_limits<double>::infinity();
  for (const int64_t channels : {1, 8}) {
    std::vector<double> x;
    for (const double value : {1.0, 1.0, 1.0, nan, 1.0, 0.0, nan, 2.0,  //
                               -inf, -inf, 2.0, nan, -inf, -inf, 3.0, 0.0})
      x.insert(x.end(), static_cast<size_t>(channels), value);
    const testing::OpCase op_case{.title = "ties",
                                  .op = max_pool2d_op({}),
                                  .inputs = {{{}, {1, 2, 8, channels}}},
                                  .values = {x},
                                  .check_gradient = false};
    const Arrays expected = op_case.op->reference(std::vector<Array>{[&] {
      Array array(op_case.inputs[0]);
      array.data = x;
      return array;
    }()});
    EXPECT_EQ(expected[1][0], 0);         // of equals the first
    EXPECT_EQ(expected[1][channels], 1);  // the first NaN
    EXPECT_TRUE(std::isnan(expected[0][channels]));
    EXPECT_EQ(expected[1][3 * channels], 0);  // a NaN before all others
    testing::check_op(op_case);
  }
}

TEST(MaxPool2d, AcceptsAnEmptyBatch) {
  testing::check_op({.title = "", .op = max_pool2d_op({}), .inputs = {{{}, {0, 4, 4, 8}}}});
}

TEST(MaxPool2d, CountsPositionsInOneByte) {
  testing::check_op({.title = "all positions",
                     .op = max_pool2d_op({.pool_size = {16, 16}}),
                     .inputs = {{{}, {2, 16, 16, 8}}},
                     .distinct_gap = 1e-4});
  EXPECT_THAT(
      [&] {
        max_pool2d(placeholder({{}, {2, 17, 17, 8}}), {.pool_size = {17, 17}});
      },
      ThrowsMessage<InvalidArgument>(
          HasSubstr("a window may hold 256 positions at most, found 17 x 17")));
}

TEST(AveragePool2d, AgreesWithItsReference) {
  Specs inputs;
  for (const PoolingOptions& options : many_options())
    for (const Shape& shape : {Shape{2, 9, 7, 8}, Shape{1, 6, 8, 16}, Shape{2, 5, 5, 3}}) {
      const auto pool = [&](const Tensor& x) { return average_pool2d(x, options); };
      const Spec x{{}, shape};
      testing::check_op(
          {.title = title(options),
           .op = testing::recorded_op([&](const Tensors& in) { return pool(in[0]); }, {x}),
           .inputs = {x},
           .reduction_length = 9});
      const OpPtr gradient = gradient_of(pool, x, inputs);
      testing::check_op(
          {.title = title(options), .op = gradient, .inputs = inputs, .reduction_length = 9});
    }
}

TEST(Pooling, RefusesWhatCannotBePooled) {
  EXPECT_THAT(
      [&] {
        max_pool2d(placeholder({{}, {2, 1, 4, 8}}));
      },
      ThrowsMessage<InvalidArgument>(
          HasSubstr("a window that spans 2 does not fit into a height of 1")));
  EXPECT_THROW(average_pool2d(placeholder({{}, {2, 4, 8}})), InvalidArgument);
  EXPECT_THROW(average_pool2d(placeholder({DType::int32, {2, 4, 4, 8}})), InvalidArgument);
}

}  // namespace
}  // namespace plimsoll
