#include "plimsoll/ops/elementwise/sign_bits.h"

#include <gtest/gtest.h>

#include "plimsoll/base/error.h"
#include "tests/support/op_check.h"

namespace plimsoll {
namespace {

TEST(SignBits, AreOneForEachElement) {
  for (const Shape& shape : {Shape{1}, Shape{7}, Shape{8}, Shape{3, 37}, Shape{0, 4},
                             Shape{2, 9, 7, 33}, Shape{70, 1001}})
    testing::check_op({.title = shape.to_string(),
                       .op = sign_bits_op(),
                       .inputs = {{DType::float32, shape}},
                       .check_gradient = false});
}

TEST(SelectByBits, KeepsWhatTheBitsAsk) {
  for (const Shape& shape :
       {Shape{1}, Shape{7}, Shape{8}, Shape{3, 37}, Shape{0, 4}, Shape{70, 1001}})
    testing::check_op(
        {.title = shape.to_string(),
         .op = select_by_bits_op(),
         .inputs = {{DType::uint8, {(shape.elements() + 7) / 8}}, {DType::float32, shape}},
         .check_gradient = false});
}

TEST(SelectByBits, RefusesTooFewBits) {
  EXPECT_THROW(select_by_bits_op()->infer(Specs{{DType::uint8, {1}}, {DType::float32, {9}}}),
               InvalidArgument);
}

}  // namespace
}  // namespace plimsoll
