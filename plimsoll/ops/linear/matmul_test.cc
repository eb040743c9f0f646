#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "plimsoll/base/error.h"
#include "plimsoll/graph/node.h"
#include "plimsoll/ops/linear/linear.h"
#include "plimsoll/ops/linear/matmul_epilogue.h"
#include "tests/support/op_check.h"

namespace plimsoll {
namespace {

using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

Shape swapped(Shape shape, bool swap) {
  if (swap) std::swap(shape[shape.rank() - 1], shape[shape.rank() - 2]);
  return shape;
}

void check(const Shape& a, const Shape& b, MatmulOptions options = {}) {
  const Specs specs = {{{}, a}, {{}, b}};
  testing::check_op({.title = "",
                     .op = testing::recorded_op(
                         [&](const Tensors& in) { return matmul(in[0], in[1], options); }, specs),
                     .inputs = specs,
                     .reduction_length = static_cast<double>(b.elements())});
}

TEST(Matmul, MultipliesUnderEveryTransposition) {
  for (const bool ta : {false, true})
    for (const bool tb : {false, true})
      for (const auto& [m, n, k] : std::vector<std::array<int64_t, 3>>{
               {1, 1, 1}, {7, 33, 5}, {33, 1, 7}, {1, 7, 1000}, {40, 10, 64}})
        check(swapped({m, k}, ta), swapped({k, n}, tb), {ta, tb});
}

TEST(Matmul, BroadcastsLeadingAxes) {
  for (const bool ta : {false, true})
    for (const bool tb : {false, true})
      for (const auto& [a, b] : std::vector<std::pair<Shape, Shape>>{
               {{4, 7, 5}, {5, 3}},           // one weight for every row
               {{2, 3, 7, 5}, {5, 3}},        // the same below two axes
               {{2, 3, 7, 5}, {1, 1, 5, 3}},  //
               {{4, 7, 5}, {4, 5, 3}},        // attention
               {{2, 3, 7, 5}, {2, 3, 5, 3}},  //
               {{7, 5}, {4, 5, 3}},           // one matrix for every product
               {{2, 1, 7, 5}, {1, 3, 5, 3}},  // both ways
               {{2, 3, 7, 5}, {3, 5, 3}},     //
               {{3, 1, 2, 7, 5}, {4, 1, 5, 3}}})
        check(swapped(a, ta), swapped(b, tb), {ta, tb});
}

TEST(Matmul, AcceptsEmptyOperands) {
  check({0, 5}, {5, 3});
  check({4, 0}, {0, 3});
  check({2, 4, 5}, {5, 0});
  check({0, 4, 5}, {0, 5, 3});
}

TEST(Matmul, AddsABiasAndTakesThePositivePartInTheSamePass) {
  const Specs plain = {{{}, {3, 7, 5}}, {{}, {5, 9}}};
  const OpPtr product =
      testing::recorded_op([](const Tensors& in) { return matmul(in[0], in[1]); }, plain);
  Specs with_bias = plain;
  with_bias.push_back({{}, {9}});
  for (const bool bias : {false, true})
    for (const bool relu : {false, true})
      testing::check_op({.title = "epilogue",
                         .op = with_epilogue(*product, bias, relu),
                         .inputs = bias ? with_bias : plain,
                         .reduction_length = 5});
}

TEST(Matmul, TakesTheGradientOfASharedWeightInOneProduct) {
  const Tensor x = placeholder({{}, {8, 20, 5}}), w = placeholder({{}, {5, 3}});
  const Tensor y = matmul(x, w);
  const Tensor dw = y.value().node->op->gradient(*y.value().node, {placeholder(y.spec())})[1];
  EXPECT_EQ(dw.value().node->op->name(), "matmul");
  EXPECT_EQ(dw.value().node->input(0).shape(), (Shape{160, 5}));
}

TEST(Matmul, RefusesWhatDoesNotMultiply) {
  const Tensor a = placeholder({{}, {4, 5}}), b = placeholder({{}, {4, 3}});
  EXPECT_THAT([&] { matmul(a, b); }, ThrowsMessage<InvalidArgument>(
                                         HasSubstr("a has rows of 5 elements, b columns of 4")));
  EXPECT_THAT(
      [&] {
        matmul(a, placeholder({{}, {5}}));
      },
      ThrowsMessage<InvalidArgument>(HasSubstr("b must be float32 of at least rank 2")));
  EXPECT_THROW(matmul(a, placeholder({DType::int32, {5, 3}})), InvalidArgument);
  EXPECT_THROW(matmul(placeholder({{}, {2, 4, 5}}), placeholder({{}, {3, 5, 3}})), InvalidArgument);
}

}  // namespace
}  // namespace plimsoll
