#include "plimsoll/ops/normalization/layer_normalize.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "plimsoll/base/error.h"
#include "plimsoll/graph/node.h"
#include "tests/support/op_check.h"

namespace plimsoll {
namespace {

using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

struct RowCase {
  Shape x;
  int axes = 1;
};

// Rows shorter and longer than vectors and chunks, and such that several threads share.
const RowCase kCases[] = {
    {{3, 5}},       {{2, 3, 8}},       {{2, 3, 4}, 2},  {{7, 1}},       {{5, 17}},
    {{2, 4, 3}, 3}, {{3, 40, 160}, 1}, {{2000, 24}, 1}, {{4, 5000}, 1}, {{0, 4}},
};

Shape row_of(const RowCase& row_case) {
  const Shape& x = row_case.x;
  return Shape(x.dims().subspan(static_cast<size_t>(x.rank() - row_case.axes)));
}

double row_size(const RowCase& row_case) {
  return static_cast<double>(row_of(row_case).elements());
}

TEST(LayerNormalize, AgreesWithItsReference) {
  for (const bool centered : {true, false})
    for (const RowCase& row_case : kCases) {
      const Spec x{{}, row_case.x}, row{{}, row_of(row_case)};
      const auto build = [&](const Tensors& in) {
        return layer_normalize(in[0], in[1], in[2],
                               {.epsilon = 0.01, .centered = centered, .axes = row_case.axes});
      };
      testing::check_op({.title = "",
                         .op = testing::recorded_op(build, {x, row, row}),
                         .inputs = {x, row, row},
                         .check_gradient = x.shape.elements() < 1000,
                         .reduction_length = row_size(row_case),
                         .tolerance_scale = 2});
    }
}

TEST(LayerNormalize, ComputesItsGradient) {
  for (const bool centered : {true, false})
    for (const RowCase& row_case : kCases) {
      if (row_size(row_case) == 1) continue;  // nothing flows but what rounding left
      const Spec x{{}, row_case.x}, row{{}, row_of(row_case)};
      const Tensor y =
          layer_normalize(placeholder(x), placeholder(row), placeholder(row),
                          {.epsilon = 0.01, .centered = centered, .axes = row_case.axes});
      const Node& node = *y.value().node;
      const Tensor dx = node.op->gradient(node, {placeholder(x)})[0];
      testing::check_op({.title = "",
                         .op = dx.value().node->op,
                         .inputs = {x, row, x},
                         .check_gradient = false,
                         .reduction_length = static_cast<double>(x.shape.elements()),
                         .tolerance_scale = 4});
    }
}

TEST(LayerNormalize, KeepsTheVarianceOfValuesFarFromZero) {
  const Spec x{{}, {6, 300}}, row{{}, {300}};
  testing::check_op(
      {.title = "around 1000",
       .op = testing::recorded_op(
           [](const Tensors& in) { return layer_normalize(in[0], in[1], in[2]); }, {x, row, row}),
       .inputs = {x, row, row},
       .ranges = {{999, 1001}},
       .check_gradient = false,
       .tolerance_scale = 500});  // x itself has only 13 bits after the point
}

TEST(LayerNormalize, NeedsNeitherGammaNorBeta) {
  const std::vector<float> values = {1, 3, 10, 20};
  const Tensor y = layer_normalize(constant(values, {2, 2}), {}, {}, {.epsilon = 0});
  EXPECT_EQ(y.to_vector(), (std::vector<float>{-1, 1, -1, 1}));
}

TEST(LayerNormalize, RefusesCoefficientsOfOtherShapes) {
  const Tensor x = placeholder({{}, {2, 3, 8}});
  EXPECT_THAT(
      [&] {
        layer_normalize(x, placeholder({{}, {3}}), {});
      },
      ThrowsMessage<InvalidArgument>(HasSubstr("expected float32 (8,), the shape of a row")));
  EXPECT_THROW(layer_normalize(x, {}, {}, {.axes = 4}), InvalidArgument);
  EXPECT_THROW(layer_normalize(placeholder({DType::int32, {2, 3}}), {}, {}), InvalidArgument);
}

}  // namespace
}  // namespace plimsoll
