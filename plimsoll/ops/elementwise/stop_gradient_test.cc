#include <gtest/gtest.h>

#include "plimsoll/graph/gradient.h"
#include "plimsoll/ops/elementwise/elementwise.h"
#include "tests/support/op_check.h"

namespace plimsoll {
namespace {

TEST(StopGradient, PassesTheValueAndNoGradient) {
  const Specs inputs = {{DType::float32, {2, 16}}};
  testing::check_op(
      {.title = "value",
       .op = testing::recorded_op([](const Tensors& in) { return stop_gradient(in[0]); }, inputs),
       .inputs = inputs,
       .check_gradient = false});
  const Tensor x = placeholder(inputs[0]);
  EXPECT_FALSE(gradients(stop_gradient(x), std::span(&x, 1))[0].defined());
}

}  // namespace
}  // namespace plimsoll
