#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "plimsoll/base/error.h"
#include "plimsoll/graph/node.h"
#include "plimsoll/ops/movement/movement.h"
#include "tests/support/op_check.h"

namespace plimsoll {
namespace {

using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

OpPtr reshaping(const Spec& spec, const Shape& shape) {
  return testing::recorded_op([&](const Tensors& in) { return reshape(in[0], shape); }, {spec});
}

TEST(Reshape, KeepsTheBytesUnderAnotherShape) {
  for (const DType dtype : {DType::float32, DType::int64, DType::uint8}) {
    const Spec spec{dtype, {7, 33, 2}};
    for (const Shape& shape : {Shape{33, 14}, Shape{-1}, Shape{2, -1, 7, 1}, Shape{462}})
      testing::check_op({.title = shape.to_string(),
                         .op = reshaping(spec, shape),
                         .inputs = {spec},
                         .check_gradient = dtype == DType::float32});
  }
  testing::check_op(
      {.title = "empty", .op = reshaping({{}, {0, 3}}, {5, 0}), .inputs = {{{}, {0, 3}}}});
  testing::check_op({.title = "scalar", .op = reshaping({}, {1, 1}), .inputs = {{}}});
}

TEST(Reshape, KeepsBlocksOfChannelsBesideTheSameBatch) {
  const Spec spec{{}, {2, 6, 16}};
  for (const Shape& shape : {Shape{2, 1, 6, 16}, Shape{2, 2, 3, 16}, Shape{2, 96}, Shape{12, 16}})
    testing::check_op({.title = shape.to_string(), .op = reshaping(spec, shape), .inputs = {spec}});
  const OpPtr op = reshaping(spec, {2, 1, 6, 16});
  const std::vector<Layout> offered = {Layout::blocked(8)};
  EXPECT_EQ(op->layouts(Specs{spec}, op->infer(Specs{spec}), offered).outputs[0], offered[0]);
}

TEST(Reshape, KeepsItsOpenDimensionForOtherBatchSizes) {
  const OpPtr flatten = reshaping({{}, {32, 4, 5}}, {-1, 20});
  EXPECT_EQ(flatten->infer(Specs{{{}, {7, 4, 5}}})[0].shape, (Shape{7, 20}));
  const Tensor x = placeholder({{}, {32, 4}});
  const OpPtr expand = expand_dims(x, 1).value().node->op;
  EXPECT_EQ(expand->infer(Specs{{{}, {7, 4}}})[0].shape, (Shape{7, 1, 4}));
}

TEST(Reshape, ExpandsAndSqueezes) {
  const Tensor x = placeholder({{}, {3, 4}});
  EXPECT_EQ(expand_dims(x, 0).shape(), (Shape{1, 3, 4}));
  EXPECT_EQ(expand_dims(x, -1).shape(), (Shape{3, 4, 1}));
  EXPECT_EQ(squeeze(expand_dims(x, 1), 1).shape(), (Shape{3, 4}));
  EXPECT_THAT([&] { squeeze(x, 0); },
              ThrowsMessage<InvalidArgument>(HasSubstr("axis 0 of (3, 4) is not 1 long")));
}

TEST(Reshape, RefusesShapesThatDoNotFit) {
  const Tensor x = placeholder({{}, {3, 4}});
  EXPECT_THAT(
      [&] {
        reshape(x, {5, -1});
      },
      ThrowsMessage<InvalidArgument>(HasSubstr("cannot reshape (3, 4) to (5, -1)")));
  EXPECT_THROW(reshape(x, {-1, -1}), InvalidArgument);
  EXPECT_THROW(reshape(x, {-2, 6}), InvalidArgument);
  EXPECT_THROW(reshape(x, {-1, 0}), InvalidArgument);
}

}  // namespace
}  // namespace plimsoll
