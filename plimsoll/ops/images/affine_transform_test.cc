#include "plimsoll/ops/images/affine_transform.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "plimsoll/base/error.h"
#include "plimsoll/graph/node.h"
#include "tests/support/op_check.h"

namespace plimsoll {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

// Turned, stretched and moved; the second has a vanishing point.
std::vector<double> transforms() {
  return {std::cos(0.4),
          -std::sin(0.4),
          1.3,
          std::sin(0.4),
          std::cos(0.4),
          -2.2,
          0,
          0,
          1.7,
          0.1,
          -6,
          0,
          -0.6,
          4.1,
          0.02,
          -0.01};
}

void check(const AffineOptions& options) {
  const Specs inputs = {{{}, {2, 5, 6, 3}}, {{}, {2, 8}}};
  const auto build = [&](const Tensors& in) { return affine_transform(in[0], in[1], options); };
  testing::check_op({.title = "affine_transform",
                     .op = testing::recorded_op(build, inputs),
                     .inputs = inputs,
                     .values = {{}, transforms()},
                     .constant_inputs = {1},
                     .reduction_length = 4});
  const Tensor y = build({placeholder(inputs[0]), placeholder(inputs[1])});
  const Specs back = {y.spec(), inputs[1]};
  testing::check_op({.title = "affine_transform_gradient",
                     .op = testing::recorded_op(
                         [&](const Tensors& in) {
                           const Node& node = *y.value().node;
                           return node.op->gradient(node, {in[0]})[0];
                         },
                         back),
                     .inputs = back,
                     .values = {{}, transforms()},
                     .constant_inputs = {1},
                     .reduction_length = 40});
}

TEST(AffineTransform, AgreesWithItsReferenceInEveryMode) {
  for (const FillMode mode :
       {FillMode::constant, FillMode::reflect, FillMode::wrap, FillMode::nearest})
    for (const Interpolation interpolation : {Interpolation::nearest, Interpolation::bilinear})
      for (const std::array<int64_t, 2> size : {std::array<int64_t, 2>{0, 0}, {3, 9}})
        check({.size = size, .interpolation = interpolation, .fill_mode = mode, .fill_value = 0.7});
}

// A row of five numbers moved by `shift` to the right.
std::vector<float> moved(float shift, const AffineOptions& options) {
  const Tensor x = constant(std::vector<float>{1, 2, 3, 4, 5}, {1, 1, 5, 1});
  const std::vector<float> t = {1, 0, -shift, 0, 1, 0, 0, 0};
  return affine_transform(x, constant(t, {1, 8}), options).to_vector();
}

TEST(AffineTransform, FillsWhatComesFromBeyondTheBorder) {
  AffineOptions options{.interpolation = Interpolation::nearest, .fill_value = 9};
  EXPECT_THAT(moved(2, options), ElementsAre(9, 9, 1, 2, 3));
  options.fill_mode = FillMode::reflect;
  EXPECT_THAT(moved(2, options), ElementsAre(2, 1, 1, 2, 3));
  EXPECT_THAT(moved(-2, options), ElementsAre(3, 4, 5, 5, 4));
  options.fill_mode = FillMode::wrap;
  EXPECT_THAT(moved(2, options), ElementsAre(4, 5, 1, 2, 3));
  options.fill_mode = FillMode::nearest;
  EXPECT_THAT(moved(2, options), ElementsAre(1, 1, 1, 2, 3));
}

TEST(AffineTransform, SamplesBetweenPixels) {
  EXPECT_THAT(moved(0.5f, {.fill_value = 3}), ElementsAre(2, 1.5f, 2.5f, 3.5f, 4.5f));
}

TEST(AffineTransform, FillsWhereATransformIsNoNumber) {
  const Tensor x = constant(std::vector<float>{1, 2}, {1, 1, 2, 1});
  const float nan = std::nanf("");
  const std::vector<float> t = {nan, 0, 0, 0, 1, 0, 0, 0};
  EXPECT_THAT(affine_transform(x, constant(t, {1, 8}), {.fill_value = 4}).to_vector(),
              ElementsAre(4, 4));
}

TEST(AffineTransform, RefusesTransformsOfAnotherShape) {
  const Tensor x = placeholder({{}, {3, 4, 4, 1}});
  EXPECT_THAT(
      [&] {
        affine_transform(x, placeholder({{}, {2, 8}}));
      },
      ThrowsMessage<InvalidArgument>(HasSubstr("transforms must be float32 (1, 8) or (3, 8)")));
  EXPECT_THROW(affine_transform(placeholder({{}, {4, 4, 1}}), placeholder({{}, {1, 8}})),
               InvalidArgument);
  EXPECT_THROW(
      affine_transform(x, placeholder({{}, {1, 8}}), {.interpolation = Interpolation::bicubic}),
      InvalidArgument);
  EXPECT_THROW(fill_mode_of("mirror"), InvalidArgument);
}

}  // namespace
}  // namespace plimsoll
