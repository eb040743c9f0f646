#include "plimsoll/ops/normalization/bias_add.h"

#include <gtest/gtest.h>

#include "plimsoll/base/error.h"
#include "tests/support/op_check.h"

namespace plimsoll {
namespace {

TEST(BiasAdd, AddsANumberAChannelInEveryLayout) {
  for (const Shape& shape : {Shape{2, 3, 4, 16}, Shape{5, 7}, Shape{3}, Shape{2, 3, 24},
                             Shape{0, 3, 8}, Shape{4, 30, 30, 8}}) {
    const Specs inputs = {{{}, shape}, {{}, {shape.back()}}};
    testing::check_op({.title = shape.to_string(),
                       .op = testing::recorded_op(
                           [](const Tensors& in) { return bias_add(in[0], in[1]); }, inputs),
                       .inputs = inputs,
                       .check_gradient = shape.elements() < 1000});
  }
}

TEST(BiasAdd, RefusesABiasOfAnotherShape) {
  EXPECT_THROW(bias_add(placeholder({{}, {2, 3}}), placeholder({{}, {2}})), InvalidArgument);
  EXPECT_THROW(bias_add(placeholder({DType::int32, {2, 3}}), placeholder({{}, {3}})),
               InvalidArgument);
}

}  // namespace
}  // namespace plimsoll
