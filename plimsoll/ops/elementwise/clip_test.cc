#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "plimsoll/base/error.h"
#include "plimsoll/ops/elementwise/elementwise.h"
#include "tests/support/op_check.h"

namespace plimsoll {
namespace {

using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

TEST(Clip, AgreesWithItsReference) {
  const Specs inputs = {{DType::float32, {2, 5, 16}}};
  testing::check_op({.title = "clip",
                     .op = testing::recorded_op(
                         [](const Tensors& in) { return clip(in[0], -0.503, 0.705); }, inputs),
                     .inputs = inputs,
                     .distinct_gap = 0.01});
  EXPECT_THAT([&] { clip(placeholder(inputs[0]), 1, 0); },
              ThrowsMessage<InvalidArgument>(HasSubstr("lower bound 1 ")));
}

}  // namespace
}  // namespace plimsoll
