// Ops as text, as JSON and compared.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "plimsoll/base/error.h"
#include "plimsoll/graph/node.h"
#include "plimsoll/graph/op.h"
#include "plimsoll/ops/ops.h"

namespace plimsoll {
namespace {

using ::testing::HasSubstr;

const Op& op_of(const Tensor& tensor) {
  return *tensor.value().node->op;
}

Tensor images() {
  return placeholder({DType::float32, {1, 8, 8, 3}});
}

Tensor convolved(const ConvolutionOptions& options) {
  return conv2d(images(), placeholder({DType::float32, {3, 3, 3, 4}}), options);
}

TEST(OpText, NamesTheAttributesThatAreNotAsUsual) {
  EXPECT_EQ(to_string(op_of(convolved({.strides = {2, 2}, .padding = Padding::same}))),
            "conv2d(strides=[2, 2], padding=\"same\")");
  EXPECT_EQ(to_string(op_of(convolved({.dilation_rate = {1, 2}}))),
            "conv2d(strides=[1, 1], padding=\"valid\", dilation_rate=[1, 2])");
  EXPECT_EQ(to_string(op_of(sum(images(), {1, 2}))), "sum(axis=[1, 2])");
  EXPECT_EQ(to_string(op_of(clip(images(), 0, 6))), "clip(x_min=0, x_max=6)");
  EXPECT_EQ(to_string(op_of(relu(images()))), "relu");
}

TEST(OpText, JsonHasAllAttributes) {
  EXPECT_EQ(to_json(op_of(convolved({}))),
            "{\"op\": \"conv2d\", \"strides\": [1, 1], \"padding\": \"valid\", \"dilation_rate\": "
            "[1, 1], \"groups\": 1, \"bias\": false, \"relu\": false}");
  EXPECT_EQ(to_json(op_of(relu(images()))), "{\"op\": \"relu\"}");
}

TEST(OpText, JsonQuotesNumbersThatItHasNoWordFor) {
  const double infinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ(to_json(op_of(clip(images(), -infinity, 0.5))),
            "{\"op\": \"clip\", \"x_min\": \"-inf\", \"x_max\": 0.5}");
}

TEST(OpText, WordsAreEscaped) {
  EXPECT_EQ(attribute_text(std::string_view("a\"b\\c")), "\"a\\\"b\\\\c\"");
}

TEST(OpText, OpsAreTheSameIfNameAndAttributesAre) {
  EXPECT_TRUE(same_op(op_of(convolved({})), op_of(convolved({}))));
  EXPECT_FALSE(same_op(op_of(convolved({})), op_of(convolved({.padding = Padding::same}))));
  EXPECT_FALSE(same_op(op_of(relu(images())), op_of(exp(images()))));
}

TEST(OpText, IsPartOfTheErrorsOfAnOp) {
  EXPECT_THAT(
      [] {
        convolved({.strides = {2, 2}, .groups = 2});
      },
      testing::ThrowsMessage<InvalidArgument>(
          HasSubstr("; conv2d(strides=[2, 2], padding=\"valid\", groups=2); at ")));
}

}  // namespace
}  // namespace plimsoll
