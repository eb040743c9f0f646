#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "plimsoll/base/error.h"
#include "plimsoll/graph/gradient.h"
#include "plimsoll/graph/node.h"
#include "plimsoll/ops/elementwise/elementwise.h"
#include "tests/support/op_check.h"
#include "tests/support/reference_interpreter.h"

namespace plimsoll {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::ThrowsMessage;
using Function = Tensor (*)(const Operand&, const Operand&);

struct BinaryCase {
  Function function;
  std::pair<double, double> range = {-2, 2};
  double distinct_gap = 0;
};

const BinaryCase kCases[] = {
    {add},
    {subtract},
    {multiply},
    {divide, {0.5, 2}},
    {power, {0.5, 2}},
    {maximum, {-2, 2}, 0.001},
    {minimum, {-2, 2}, 0.001},
};

void check(const BinaryCase& binary, const Shape& a, const Shape& b) {
  const Specs inputs = {{DType::float32, a}, {DType::float32, b}};
  testing::check_op({.title = "binary",
                     .op = testing::recorded_op(
                         [&](const Tensors& in) { return binary.function(in[0], in[1]); }, inputs),
                     .inputs = inputs,
                     .ranges = {binary.range, binary.range},
                     .distinct_gap = binary.distinct_gap,
                     .check_gradient = a.elements() + b.elements() < 2000});
}

struct Shapes {
  Shape a, b;
};

TEST(Binary, BroadcastsByNumPysRule) {
  const Shapes shapes[] = {
      {{}, {}},         {{5}, {5}},       {{3, 7}, {7}},       {{3, 7}, {3, 1}},
      {{3, 7}, {}},     {{1, 7}, {3, 1}}, {{2, 1, 5}, {4, 1}}, {{2, 1, 5, 1}, {3, 1, 4}},
      {{0, 3}, {3}},    {{0, 3}, {1, 1}}, {{1, 5}, {5}},       {{2, 3, 4}, {1, 3, 1}},
      {{1, 1, 1}, {2}},
  };
  for (const BinaryCase& binary : kCases)
    for (const auto& [a, b] : shapes) {
      check(binary, a, b);
      check(binary, b, a);
    }
}

TEST(Binary, ReadsWhatBroadcastsBesideBlocksOfChannels) {
  for (const Shape& b : {Shape{2, 3, 4, 16}, Shape{16}, Shape{2, 1, 1, 16}, Shape{2, 3, 4, 1},
                         Shape{1, 1, 4, 16}, Shape{2, 1, 1, 1}, Shape{1, 3, 1, 1}, Shape{}})
    for (const Function function : {&add, &subtract}) {
      check({function}, {2, 3, 4, 16}, b);
      check({function}, b, {2, 3, 4, 16});
    }
  check({add}, {1, 2, 3, 16}, {2, 3, 16});
}

TEST(Binary, ReadsPeriodsAndRowsLongerThanATile) {
  const Shapes shapes[] = {
      {{70, 700}, {700}},     {{7, 5003}, {5003}},    {{5003, 3}, {3}},
      {{40, 1001}, {40, 1}},  {{5003, 7}, {5003, 1}}, {{9, 11, 501}, {9, 1, 501}},
      {{3, 4, 2501}, {4, 1}}, {{3, 30001}, {}},
  };
  for (const auto& [a, b] : shapes) {
    check({subtract}, a, b);
    check({subtract}, b, a);
  }
}

TEST(Binary, IsExactForIntegers) {
  for (const Function function : {&add, &subtract, &multiply, &maximum, &minimum})
    for (const DType dtype : {DType::int32, DType::int64, DType::uint8})
      for (const Shape& b : {Shape{7, 9}, Shape{9}, Shape{7, 1}, Shape{}}) {
        const Specs inputs = {{dtype, {7, 9}}, {dtype, b}};
        const bool is_byte = dtype == DType::uint8;
        const std::pair<double, double> small = {0, 15}, large = {-30000, 30000};
        // uint8 wraps below 0 as the reference does not.
        if (is_byte && function == &subtract) continue;
        testing::check_op({.title = "integers",
                           .op = testing::recorded_op(
                               [&](const Tensors& in) { return function(in[0], in[1]); }, inputs),
                           .inputs = inputs,
                           .ranges = {is_byte ? small : large, is_byte ? small : large},
                           .check_gradient = false});
      }
}

TEST(Binary, GivesANumberTheDTypeOfTheOtherOperand) {
  const Tensor count = placeholder({DType::int64, {3}});
  EXPECT_EQ(add(count, 1).dtype(), DType::int64);
  EXPECT_EQ(subtract(1, count).dtype(), DType::int64);
  EXPECT_EQ((count * 2).value().node->op->name(), "integer_multiply");
  EXPECT_THAT([&] { add(count, 1.5); },
              ThrowsMessage<InvalidArgument>(HasSubstr("expected float32, found int64")));
}

TEST(Binary, RefusesMixedDTypes) {
  const Tensor x = placeholder({DType::float32, {3}}), n = placeholder({DType::int32, {3}});
  const Tensor k = placeholder({DType::int64, {3}});
  EXPECT_THAT([&] { add(x, n); },
              ThrowsMessage<InvalidArgument>(HasSubstr("expected float32, found int32")));
  EXPECT_THAT([&] { add(k, n); },
              ThrowsMessage<InvalidArgument>(HasSubstr("int64 and int32, expected one dtype")));
  EXPECT_THAT([&] { divide(n, n); },
              ThrowsMessage<InvalidArgument>(HasSubstr("expected float32, found int32")));
  EXPECT_THAT(
      [&] {
        add(x, placeholder({DType::float32, {4}}));
      },
      ThrowsMessage<InvalidArgument>(HasSubstr("(3,) and (4,) do not broadcast")));
}

Array array(const std::vector<double>& values) {
  Array result({DType::float32, {static_cast<int64_t>(values.size())}});
  result.data = values;
  return result;
}

TEST(Maximum, SharesTheGradientOfATie) {
  for (const Function function : {&maximum, &minimum}) {
    testing::ReferenceInterpreter interpreter;
    const Tensors sources = {placeholder({DType::float32, {3}}),
                             placeholder({DType::float32, {3}})};
    interpreter.set(sources[0], array({1, 2, 3}));
    interpreter.set(sources[1], array({2, 2, 2}));
    const Tensors found = gradients(function(sources[0], sources[1]), sources);
    const bool largest = function == &maximum;
    EXPECT_THAT(interpreter.evaluate(found[0]).data,
                ElementsAre(largest ? 0 : 1, 0.5, largest ? 1 : 0));
    EXPECT_THAT(interpreter.evaluate(found[1]).data,
                ElementsAre(largest ? 1 : 0, 0.5, largest ? 0 : 1));
  }
}

TEST(Power, OfACommonNumberIsACheaperOp) {
  const Tensor x = placeholder({DType::float32, {3}});
  const auto name = [&](double exponent) { return power(x, exponent).value().node->op->name(); };
  EXPECT_EQ(name(2), "square");
  EXPECT_EQ(name(0.5), "sqrt");
  EXPECT_EQ(name(-1), "reciprocal");
  EXPECT_EQ(name(3), "power");
  EXPECT_EQ(power(x, 1).value(), x.value());
}

TEST(ReluGradient, AgreesWithItsReference) {
  const Specs inputs = {{DType::float32, {2, 3, 16}}, {DType::float32, {2, 3, 16}}};
  testing::check_op({.title = "relu_gradient",
                     .op = testing::recorded_op(
                         [](const Tensors& in) { return relu_gradient(in[0], in[1]); }, inputs),
                     .inputs = inputs,
                     .distinct_gap = 0.01});
}

}  // namespace
}  // namespace plimsoll
