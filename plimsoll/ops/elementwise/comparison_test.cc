#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "plimsoll/base/error.h"
#include "plimsoll/ops/elementwise/elementwise.h"
#include "tests/support/op_check.h"

namespace plimsoll {
namespace {

using ::testing::HasSubstr;
using ::testing::ThrowsMessage;
using Function = Tensor (*)(const Operand&, const Operand&);

void check(Function function, DType dtype, const Shape& a, const Shape& b) {
  const Specs inputs = {{dtype, a}, {dtype, b}};
  const auto values = [](int64_t count, int64_t period) {
    std::vector<double> result;
    for (int64_t i = 0; i < count; ++i) result.push_back(static_cast<double>(i * 7 % period));
    return result;
  };
  const int64_t period = dtype == DType::boolean ? 2 : 5;
  testing::check_op({.title = "comparison",
                     .op = testing::recorded_op(
                         [&](const Tensors& in) { return function(in[0], in[1]); }, inputs),
                     .inputs = inputs,
                     .values = {values(a.elements(), period), values(b.elements(), period)},
                     .check_gradient = false});
}

TEST(Comparison, AnswersBooleansForEveryDType) {
  for (const Function function : {&equal, &not_equal, &less, &less_equal, &greater, &greater_equal})
    for (const DType dtype :
         {DType::float32, DType::int32, DType::int64, DType::uint8, DType::boolean})
      for (const Shape& b : {Shape{7, 16}, Shape{16}, Shape{7, 1}, Shape{}})
        check(function, dtype, {7, 16}, b);
}

TEST(Comparison, TellsIntegersApartThatAreOneFloat) {
  const Specs inputs = {{DType::int64, {2}}, {DType::int64, {2}}};
  testing::check_op(
      {.title = "large",
       .op = testing::recorded_op([](const Tensors& in) { return equal(in[0], in[1]); }, inputs),
       .inputs = inputs,
       .values = {{0x1p40 + 1, 5}, {0x1p40, 5}},
       .check_gradient = false});
}

TEST(Comparison, FindsThatNaNDiffersFromItselfAlone) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const Specs inputs(2, {DType::float32, {2, 16}});
  std::vector<double> values(32, 1.0);
  values[3] = values[17] = nan;
  for (const Function function : {&equal, &not_equal, &less, &less_equal, &greater, &greater_equal})
    testing::check_op({.title = "with NaN",
                       .op = testing::recorded_op(
                           [&](const Tensors& in) { return function(in[0], in[1]); }, inputs),
                       .inputs = inputs,
                       .values = {values, values},
                       .check_gradient = false});
}

TEST(Logic, JoinsBooleans) {
  for (const Function function : {&logical_and, &logical_or})
    for (const Shape& b : {Shape{7, 16}, Shape{16}, Shape{}})
      check(function, DType::boolean, {7, 16}, b);
  const Specs inputs = {{DType::boolean, {2, 5, 16}}};
  testing::check_op(
      {.title = "not",
       .op = testing::recorded_op([](const Tensors& in) { return logical_not(in[0]); }, inputs),
       .inputs = inputs,
       .check_gradient = false});
  EXPECT_THAT(
      [] {
        logical_not(placeholder({DType::float32, {3}}));
      },
      ThrowsMessage<InvalidArgument>(HasSubstr("expected bool, found float32")));
}

}  // namespace
}  // namespace plimsoll
