#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "plimsoll/base/error.h"
#include "plimsoll/ops/elementwise/elementwise.h"
#include "tests/support/op_check.h"

namespace plimsoll {
namespace {

using ::testing::HasSubstr;
using ::testing::ThrowsMessage;
using Function = Tensor (*)(const Operand&);

struct UnaryCase {
  Function function;
  std::pair<double, double> range = {-3, 3};
  double distinct_gap = 0;
};

const UnaryCase kCases[] = {
    {negative},
    {abs, {-2, 2}, 0.01},
    {sign, {-2, 2}, 0.01},
    {square},
    {sqrt, {0.1, 4}},
    {rsqrt, {0.3, 4}},
    {reciprocal, {0.3, 4}},
    {exp},
    {expm1},
    {log, {0.1, 4}},
    {log1p, {-0.9, 4}},
    {sin},
    {cos},
    {tanh},
    {sigmoid},
    {softplus},
    {erf},
    {relu, {-2, 2}, 0.01},
    {floor, {0.1, 0.9}},
    {ceil, {0.1, 0.9}},
    {round, {-0.4, 0.4}},
};

void check(const UnaryCase& unary, const Shape& shape) {
  const Specs inputs = {{DType::float32, shape}};
  testing::check_op(
      {.title = "unary",
       .op = testing::recorded_op([&](const Tensors& in) { return unary.function(in[0]); }, inputs),
       .inputs = inputs,
       .ranges = {unary.range},
       .distinct_gap = unary.distinct_gap,
       .check_gradient = shape.elements() < 1000});
}

TEST(Unary, AgreesWithItsReference) {
  for (const UnaryCase& unary : kCases)
    for (const Shape& shape : {Shape{}, Shape{7}, Shape{0, 3}, Shape{2, 3, 16}, Shape{2, 5, 24}})
      check(unary, shape);
}

TEST(Unary, SplitsLargeTensorsOverThreads) {
  for (const UnaryCase& unary : kCases) check(unary, {3, 41, 1000});
}

TEST(Unary, IsExactForIntegers) {
  for (const Function function : {&negative, &abs, &sign, &square})
    for (const DType dtype : {DType::int32, DType::int64}) {
      const Specs inputs = {{dtype, {7, 9}}};
      testing::check_op(
          {.title = "integers",
           .op = testing::recorded_op([&](const Tensors& in) { return function(in[0]); }, inputs),
           .inputs = inputs,
           .ranges = {{-40000, 40000}},
           .values = {},
           .check_gradient = false});
    }
}

TEST(Unary, RefusesIntegersForFloatFunctions) {
  const Tensor x = placeholder({DType::int32, {3}});
  EXPECT_THAT([&] { exp(x); },
              ThrowsMessage<InvalidArgument>(HasSubstr("expected float32, found int32")));
}

}  // namespace
}  // namespace plimsoll
