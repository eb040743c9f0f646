#include <gtest/gtest.h>

#include <cmath>

#include "plimsoll/base/error.h"
#include "plimsoll/graph/node.h"
#include "plimsoll/ops/reduction/reduction.h"
#include "tests/support/op_check.h"

namespace plimsoll {
namespace {

using Function = Tensor (*)(const Operand&, int);

testing::OpCase forward(Function function, const Shape& shape, int axis) {
  const Spec spec{{}, shape};
  return {
      .title = "axis " + std::to_string(axis),
      .op = testing::recorded_op([&](const Tensors& in) { return function(in[0], axis); }, {spec}),
      .inputs = {spec},
      .tolerance_scale = 2};
}

// The op that the gradient of `function` records.
testing::OpCase backward(Function function, const Shape& shape, int axis) {
  const Spec spec{{}, shape};
  const Tensor y = function(placeholder(spec), axis);
  const Tensor dx = y.value().node->op->gradient(*y.value().node, {placeholder(spec)})[0];
  return {.title = "axis " + std::to_string(axis),
          .op = dx.value().node->op,
          .inputs = {spec, spec},
          .ranges = {{-2, -0.1}, {-2, 2}},
          .check_gradient = false,
          .reduction_length = static_cast<double>(shape[axis < 0 ? axis + shape.rank() : axis]),
          .tolerance_scale = 2};
}

TEST(Softmax, NormalizesAlongEveryAxis) {
  for (const Function function : {&softmax, &log_softmax})
    for (const int axis : {0, 1, 2, -1}) {
      testing::check_op(forward(function, {3, 7, 33}, axis));
      testing::check_op(backward(function, {3, 7, 33}, axis));
    }
}

TEST(Softmax, HandlesRowsOfAnyLength) {
  for (const Function function : {&softmax, &log_softmax})
    for (const int64_t size : {1, 2, 8, 10, 33, 1000})
      for (const int64_t rows : {1, 40}) {
        testing::check_op(forward(function, {rows, size}, -1));
        testing::check_op(backward(function, {rows, size}, -1));
        testing::check_op(forward(function, {size, rows}, 0));
      }
}

TEST(Softmax, SumsLongRowsAccurately) {
  for (const Function function : {&softmax, &log_softmax}) {
    auto op_case = forward(function, {2, 50000}, -1);
    op_case.check_gradient = false;
    testing::check_op(op_case);
  }
}

TEST(Softmax, StaysStableForLargeLogits) {
  for (const Function function : {&softmax, &log_softmax})
    for (const int axis : {0, 1}) {
      auto op_case = forward(function, {9, 9}, axis);
      op_case.ranges = {{-1000, 1000}};
      op_case.check_gradient = false;
      testing::check_op(op_case);
    }
}

TEST(Softmax, KeepsNaNAndMasksMinusInfinity) {
  for (const Function function : {&softmax, &log_softmax}) {
    auto op_case = forward(function, {4, 3}, -1);
    op_case.values = {
        {1, NAN, 2, 1, -INFINITY, 2, -INFINITY, -INFINITY, -INFINITY, 1, INFINITY, 2}};
    op_case.check_gradient = false;
    testing::check_op(op_case);
    op_case = forward(function, {3, 4}, 0);
    op_case.values = {
        {1, 1, -INFINITY, 1, NAN, -INFINITY, -INFINITY, INFINITY, 2, 2, -INFINITY, 2}};
    op_case.check_gradient = false;
    testing::check_op(op_case);
  }
}

TEST(Softmax, AcceptsEmptyTensors) {
  testing::check_op(forward(&softmax, {0, 3}, -1));
  testing::check_op(forward(&softmax, {3, 0}, -1));
  testing::check_op(forward(&log_softmax, {3, 0}, 0));
}

TEST(Softmax, RefusesBadAxesAndTypes) {
  EXPECT_THROW(softmax(placeholder({{}, {2, 3}}), 2), InvalidArgument);
  EXPECT_THROW(softmax(placeholder({DType::int32, {2, 3}})), InvalidArgument);
}

}  // namespace
}  // namespace plimsoll
