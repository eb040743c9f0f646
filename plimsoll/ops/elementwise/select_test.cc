#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "plimsoll/base/error.h"
#include "plimsoll/ops/elementwise/elementwise.h"
#include "tests/support/op_check.h"

namespace plimsoll {
namespace {

using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

TEST(Select, ChoosesByTheCondition) {
  const Shape shapes[][3] = {{{3, 16}, {3, 16}, {3, 16}}, {{3, 1}, {3, 7}, {}},
                             {{7}, {3, 7}, {3, 1}},       {{3, 7}, {}, {}},
                             {{1}, {2, 5}, {5}},          {{90, 500}, {500}, {90, 1}}};
  for (const DType dtype :
       {DType::float32, DType::int32, DType::int64, DType::uint8, DType::boolean})
    for (const auto& [condition, a, b] : shapes) {
      const Specs inputs = {{DType::boolean, condition}, {dtype, a}, {dtype, b}};
      testing::check_op({.title = "select",
                         .op = testing::recorded_op(
                             [](const Tensors& in) { return select(in[0], in[1], in[2]); }, inputs),
                         .inputs = inputs,
                         .check_gradient = dtype == DType::float32 && condition.elements() < 1000});
    }
}

TEST(Select, RefusesAConditionThatIsNotBoolean) {
  const Tensor x = placeholder({DType::float32, {3}});
  EXPECT_THAT([&] { select(x, x, x); },
              ThrowsMessage<InvalidArgument>(HasSubstr("the condition is float32 (3,)")));
}

}  // namespace
}  // namespace plimsoll
