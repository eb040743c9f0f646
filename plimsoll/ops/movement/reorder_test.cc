#include "plimsoll/ops/movement/reorder.h"

#include <gtest/gtest.h>

#include "plimsoll/base/error.h"
#include "tests/support/op_check.h"

namespace plimsoll {
namespace {

TEST(Reorder, MovesEveryElementToWhereTheOtherLayoutHasIt) {
  for (const int32_t from : {0, 8, 16})
    for (const int32_t to : {0, 8, 16})
      for (const Shape& shape :
           {Shape{2, 9, 7, 32}, Shape{1, 5, 16}, Shape{3, 48}, Shape{0, 4, 16}})
        for (const DType dtype : {DType::float32, DType::uint8})
          testing::check_op({.title = std::to_string(from) + " to " + std::to_string(to),
                             .op = reorder_op(Layout{from}, Layout{to}),
                             .inputs = {{dtype, shape}},
                             .check_gradient = dtype == DType::float32});
}

TEST(Reorder, RefusesChannelsThatDoNotFillBlocks) {
  const OpPtr op = reorder_op(Layout::plain(), Layout::blocked(8));
  EXPECT_THROW(op->infer(Specs{{DType::float32, {2, 3, 12}}}), InvalidArgument);
  EXPECT_THROW(op->infer(Specs{{DType::float32, {8}}}), InvalidArgument);
}

}  // namespace
}  // namespace plimsoll
