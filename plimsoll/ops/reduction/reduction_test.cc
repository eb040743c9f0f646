#include "plimsoll/ops/reduction/reduction.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "plimsoll/base/error.h"
#include "plimsoll/graph/node.h"
#include "tests/support/op_check.h"
#include "tests/support/reference_interpreter.h"

namespace plimsoll {
namespace {

using ::testing::HasSubstr;
using ::testing::ThrowsMessage;
using Function = Tensor (*)(const Operand&, std::vector<int>, bool);
using Axes = std::vector<int>;

testing::OpCase reduction(Function function, const Spec& spec, const Axes& axes,
                          bool keepdims = false) {
  return {.title = "axes " + ::testing::PrintToString(axes) + (keepdims ? ", keepdims" : ""),
          .op = testing::recorded_op(
              [&](const Tensors& in) { return function(in[0], axes, keepdims); }, {spec}),
          .inputs = {spec},
          .check_gradient = spec.dtype == DType::float32,
          .reduction_length = static_cast<double>(spec.shape.elements())};
}

std::vector<Axes> every_axes(int rank) {
  std::vector<Axes> all;
  for (int bits = 0; bits < 1 << rank; ++bits) {
    all.emplace_back();
    for (int i = 0; i < rank; ++i)
      if ((bits >> i) & 1) all.back().push_back(i);
  }
  return all;
}

TEST(Reduction, ReducesEverySetOfAxes) {
  for (const Function function : {&sum, &mean})
    for (const bool keepdims : {false, true})
      for (const Axes& axes : every_axes(4))
        testing::check_op(reduction(function, {{}, {3, 7, 2, 5}}, axes, keepdims));
  for (const Function function : {&max, &min, &prod})
    for (const Axes& axes : every_axes(3)) {
      auto op_case = reduction(function, {{}, {3, 4, 5}}, axes);
      op_case.distinct_gap = 0.02;
      testing::check_op(op_case);
    }
}

TEST(Reduction, ReadsBlocksOfChannelsWhereWhatIsLeftIsInOrder) {
  for (const Function function : {&sum, &mean, &max})
    for (const Axes& axes : every_axes(4)) {
      auto op_case = reduction(function, {{}, {3, 4, 2, 16}}, axes);
      op_case.distinct_gap = function == Function{&max} ? 0.01 : 0;
      testing::check_op(op_case);
    }
  const Specs in = {{{}, {3, 4, 2, 16}}};
  const std::vector<Layout> offered = {Layout::blocked(8)};
  const auto wanted = [&](const Axes& axes) {
    const OpPtr op = reduction(&mean, in[0], axes).op;
    return op->layouts(in, op->infer(in), offered).inputs[0];
  };
  EXPECT_EQ(wanted({1, 2}), offered[0]);
  EXPECT_EQ(wanted({0, 1, 2}), offered[0]);
  EXPECT_TRUE(wanted({1}).is_plain());
  EXPECT_TRUE(wanted({1, 2, 3}).is_plain());
}

TEST(Reduction, ReducesRowsColumnsAndWholeTensorsOfAnySize) {
  for (const Function function : {&sum, &mean, &max})
    for (const Shape& shape : {Shape{1, 1}, Shape{7, 33}, Shape{33, 7}, Shape{1000, 1},
                               Shape{1, 1000}, Shape{1000, 10}, Shape{300, 700}})
      for (const Axes& axes : {Axes{0}, Axes{-1}, Axes{}}) {
        auto op_case = reduction(function, {{}, shape}, axes);
        op_case.ranges = {{0.5, 2}};
        op_case.check_gradient = function != &max && shape.elements() <= 1000;
        testing::check_op(op_case);
      }
}

TEST(Reduction, SplitsLongAxesOverThreads) {
  for (const Shape& shape : {Shape{300000}, Shape{3, 100001}, Shape{70001, 3}, Shape{2, 30001, 5},
                             Shape{4001, 3, 41}, Shape{1500, 200}})
    for (const Axes& axes : {Axes{0}, Axes{}, Axes{-1}}) {
      auto op_case = reduction(&sum, {{}, shape}, axes);
      op_case.ranges = {{0.5, 2}};
      op_case.check_gradient = false;
      op_case.reduction_length = 4;  // chunks keep the error this small
      testing::check_op(op_case);
    }
}

TEST(Reduction, IsExactForIntegers) {
  for (const DType dtype : {DType::int32, DType::int64})
    for (const Function function : {&sum, &max, &min})
      for (const Axes& axes : every_axes(3)) {
        auto op_case = reduction(function, {dtype, {7, 40, 33}}, axes);
        op_case.ranges = {{-100000, 100000}};
        testing::check_op(op_case);
      }
}

TEST(Reduction, KeepsNaN) {
  constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
  for (const Function function : {&sum, &mean, &max, &min, &prod})
    for (const int position : {0, 1, 50, 99}) {
      auto op_case = reduction(function, {{}, {2, 50}}, {1});
      op_case.values = {std::vector<double>(100, 1.0)};
      op_case.values[0][static_cast<size_t>(position)] = kNaN;
      op_case.check_gradient = false;
      testing::check_op(op_case);
      op_case = reduction(function, {{}, {50, 2}}, {0});
      op_case.values = {std::vector<double>(100, 1.0)};
      op_case.values[0][static_cast<size_t>(position)] = kNaN;
      op_case.check_gradient = false;
      testing::check_op(op_case);
    }
}

TEST(Reduction, SharesTheGradientOfAMaximumAmongTies) {
  const Spec spec{{}, {2, 4}};
  const Tensor x = placeholder(spec), y = max(x, {1}), dy = placeholder(y.spec());
  Array values(spec), seeds(y.spec());
  values.data = {1, 3, 3, 2, 5, 4, 3, 2};
  seeds.data = {1, 2};
  testing::ReferenceInterpreter interpreter;
  interpreter.set(x, values);
  interpreter.set(dy, seeds);
  const Tensor dx = y.value().node->op->gradient(*y.value().node, {dy})[0];
  EXPECT_THAT(interpreter.evaluate(dx).data, ::testing::ElementsAre(0, 0.5, 0.5, 0, 2, 0, 0, 0));
}

TEST(Reduction, HasTheGradientOfAProductWithZeros) {
  auto op_case = reduction(&prod, {{}, {3, 3}}, {1});
  op_case.values = {{2, 3, 4, 2, 0, 4, 0, 0, 4}};
  testing::check_op(op_case);
}

TEST(Reduction, AcceptsEmptyAxes) {
  testing::check_op(reduction(&sum, {{}, {0, 3}}, {0}));
  testing::check_op(reduction(&sum, {{}, {3, 0}}, {0}));
  testing::check_op(reduction(&prod, {{}, {0, 3}}, {}));
  EXPECT_THAT(
      [] {
        max(placeholder({{}, {0, 3}}), {0});
      },
      ThrowsMessage<InvalidArgument>(HasSubstr("an empty axis has no maximum")));
}

TEST(Reduction, RefusesBadAxesAndTypes) {
  const Tensor x = placeholder({{}, {2, 3}});
  EXPECT_THROW(sum(x, {2}), InvalidArgument);
  EXPECT_THAT(
      [&] {
        sum(x, {1, -1});
      },
      ThrowsMessage<InvalidArgument>(HasSubstr("axis 1 is given twice")));
  EXPECT_THAT(
      [] {
        sum(placeholder({DType::boolean, {2}}));
      },
      ThrowsMessage<InvalidArgument>(HasSubstr("cast it first")));
  EXPECT_THROW(mean(placeholder({DType::int32, {2}})), InvalidArgument);
}

TEST(Argmax, FindsTheFirstMaximumAlongAnyAxis) {
  for (const DType dtype : {DType::float32, DType::int32, DType::int64, DType::uint8})
    for (const int axis : {0, 1, 2}) {
      const Spec spec{dtype, {7, 10, 33}};
      testing::check_op({.title = "axis " + std::to_string(axis),
                         .op = testing::recorded_op(
                             [&](const Tensors& in) { return argmax(in[0], axis); }, {spec}),
                         .inputs = {spec},
                         .check_gradient = false});
    }
}

TEST(Argmax, TakesTheFirstNaN) {
  constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
  const Spec spec{{}, {2, 4}};
  testing::check_op(
      {.title = "NaN",
       .op = testing::recorded_op([](const Tensors& in) { return argmax(in[0]); }, {spec}),
       .inputs = {spec},
       .values = {{1, kNaN, 5, kNaN, 1, 5, 5, 0}},
       .check_gradient = false});
}

}  // namespace
}  // namespace plimsoll
