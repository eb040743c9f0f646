#include "plimsoll/ops/images/resize.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "plimsoll/base/error.h"
#include "plimsoll/graph/node.h"
#include "plimsoll/ops/images/resize_axis.h"
#include "tests/support/op_check.h"

namespace plimsoll {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

constexpr Interpolation kAll[] = {Interpolation::nearest, Interpolation::bilinear,
                                  Interpolation::bicubic, Interpolation::lanczos3,
                                  Interpolation::lanczos5};

void check(const Shape& x, std::array<int64_t, 2> size, Interpolation interpolation,
           bool antialias) {
  const auto build = [&](const Tensors& in) {
    return resize(in[0], size, interpolation, antialias);
  };
  const Spec spec{{}, x}, dy{{}, {x[0], size[0], size[1], x[3]}};
  testing::check_op({.title = "resize",
                     .op = testing::recorded_op(build, {spec}),
                     .inputs = {spec},
                     .reduction_length = 30});
  const OpPtr gradient = testing::recorded_op(
      [&](const Tensors& in) {
        const Tensor y = build({placeholder(spec)});
        return y.value().node->op->gradient(*y.value().node, {in[0]})[0];
      },
      {dy});
  testing::check_op(
      {.title = "resize gradient", .op = gradient, .inputs = {dy}, .reduction_length = 60});
}

TEST(Resize, AgreesWithItsReferenceInEveryLayout) {
  for (const Interpolation interpolation : kAll)
    for (const bool antialias : {false, true})
      for (const int64_t channels : {3, 8}) {
        check({2, 4, 5, channels}, {7, 9}, interpolation, antialias);
        check({2, 7, 6, channels}, {3, 2}, interpolation, antialias);
      }
  check({1, 1, 1, 3}, {2, 3}, Interpolation::bilinear, false);
  check({0, 3, 3, 8}, {2, 3}, Interpolation::bilinear, false);
}

TEST(Resize, EnlargesByRepeatingTheNearestPixel) {
  const Tensor x = constant(std::vector<float>{1, 2, 3, 4}, {1, 2, 2, 1});
  EXPECT_THAT(resize(x, {4, 4}, Interpolation::nearest).to_vector(),
              ElementsAre(1, 1, 2, 2, 1, 1, 2, 2, 3, 3, 4, 4, 3, 3, 4, 4));
}

TEST(Resize, WeightsOfAnOutputSumToOne) {
  for (const Interpolation interpolation : kAll)
    for (const bool antialias : {false, true})
      for (const auto& [from, to] :
           std::vector<std::pair<int64_t, int64_t>>{{3, 3}, {5, 11}, {11, 5}, {1, 4}, {100, 7}}) {
        const auto axis = resize_axis(from, to, interpolation, antialias);
        ASSERT_EQ(axis.outputs(), to);
        for (int64_t i = 0; i < to; ++i) {
          float sum = 0;
          for (auto k = axis.starts[static_cast<size_t>(i)];
               k < axis.starts[static_cast<size_t>(i) + 1]; ++k)
            sum += axis.weights[static_cast<size_t>(k)];
          EXPECT_NEAR(sum, 1, 1e-5);
        }
      }
}

TEST(Resize, RefusesWhatIsNoImage) {
  EXPECT_THAT(
      [] {
        resize(placeholder({{}, {2, 3, 4}}), {2, 2}, Interpolation::nearest);
      },
      ThrowsMessage<InvalidArgument>(
          HasSubstr("expected float32 images (batch, height, width, channels)")));
  EXPECT_THROW(resize(placeholder({{}, {2, 3, 4, 1}}), {0, 2}, Interpolation::nearest),
               InvalidArgument);
  EXPECT_THAT([] { interpolation_of("area"); },
              ThrowsMessage<InvalidArgument>(
                  HasSubstr("interpolation: 'area' is not known (known: nearest, bilinear")));
}

}  // namespace
}  // namespace plimsoll
