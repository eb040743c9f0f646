#include "plimsoll/ops/convolution/convolution_pooling.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "plimsoll/base/error.h"
#include "plimsoll/ops/convolution/convolution_problem.h"
#include "tests/support/op_check.h"

namespace plimsoll {
namespace {

struct Case {
  Shape x, kernel;
  ConvolutionOptions convolution = {};
  PoolingOptions pooling = {};
};

// Whole numbers: their sums are exact in float32, so that near ties cannot differ in the index.
std::vector<double> whole_numbers(const Shape& shape, int64_t seed) {
  std::vector<double> values;
  for (int64_t i = 0; i < shape.elements(); ++i)
    values.push_back(static_cast<double>((i * 7919 + seed) % 1009 % 7 - 3));
  return values;
}

// Positions of a window, and now and then none.
std::vector<double> positions(const Shape& shape, const PoolingOptions& pooling) {
  const int64_t count = pooling.pool_size[0] * pooling.pool_size[1];
  std::vector<double> values;
  for (int64_t i = 0; i < shape.elements(); ++i) {
    const int64_t position = i * 7919 % 1009 % (count + 1);
    values.push_back(position == count ? 255.0 : static_cast<double>(position));
  }
  return values;
}

void check(const Case& c) {
  const ConvolutionPooling attributes{c.convolution, c.pooling, true};
  const Spec x{{}, c.x}, kernel{{}, c.kernel}, bias{{}, {c.kernel[3]}};
  const OpPtr forward = conv2d_relu_max_pool_op(attributes);
  const Specs y = forward->infer(Specs{x, kernel, bias});
  const bool small = c.x.elements() * c.kernel.elements() < 30000;
  const double taps = static_cast<double>(c.kernel.elements(0, 3));
  const auto index = positions(y[1].shape, c.pooling);
  const std::string title = std::to_string(c.convolution.strides[0]) + " strides, " +
                            (c.convolution.padding == Padding::same ? "same" : "valid");
  testing::check_op({.title = title,
                     .op = forward,
                     .inputs = {x, kernel, bias},
                     .values = small
                                   ? std::vector<std::vector<double>>{}
                                   : std::vector{whole_numbers(c.x, 1), whole_numbers(c.kernel, 2),
                                                 whole_numbers(bias.shape, 3)},
                     .check_gradient = small,
                     .reduction_length = taps});

  testing::check_op({.title = title,
                     .op = conv2d_relu_max_pool_input_gradient_op(attributes, {c.x[1], c.x[2]}),
                     .inputs = {kernel, y[1], y[0]},
                     .values = {{}, index, {}},
                     .check_gradient = false,
                     .reduction_length = taps * static_cast<double>(c.kernel[3])});
  testing::check_op(
      {.title = title,
       .op = conv2d_relu_max_pool_kernel_gradient_op(attributes, {c.kernel[0], c.kernel[1]}),
       .inputs = {x, y[1], y[0]},
       .values = {{}, index, {}},
       .check_gradient = false,
       .reduction_length = static_cast<double>(y[0].shape.elements(0, 3))});
}

TEST(Conv2dReluMaxPool, AgreesWithItsReferenceForAnyNumberOfChannels) {
  for (const auto& [channels, filters] : std::vector<std::pair<int64_t, int64_t>>{{1, 8},
                                                                                  {3, 16},
                                                                                  {3, 24},
                                                                                  {3, 5},
                                                                                  {8, 16},
                                                                                  {16, 8},
                                                                                  {24, 12},
                                                                                  {12, 24},
                                                                                  {1, 1},
                                                                                  {16, 32}})
    check({{2, 9, 8, channels}, {3, 3, channels, filters}});
}

TEST(Conv2dReluMaxPool, TakesAnyConvolutionAndAnyDisjointWindows) {
  for (const int64_t channels : {1, 3, 8})
    for (const Padding padding : {Padding::valid, Padding::same}) {
      check({{2, 12, 11, channels}, {3, 2, channels, 16}, {.strides = {2, 1}, .padding = padding}});
      check({{2, 9, 8, channels}, {2, 4, channels, 8}, {.padding = padding}, {.padding = padding}});
      check(
          {{3, 9, 8, channels}, {3, 3, channels, 8}, {.padding = padding}, {.pool_size = {3, 2}}});
      check({{2, 9, 8, channels},
             {2, 2, channels, 8},
             {.padding = padding, .dilation_rate = {2, 1}},
             {.pool_size = {2, 2}, .strides = {3, 3}}});
    }
  check({{2, 8, 8, 16}, {3, 3, 8, 16}, {.padding = Padding::same, .groups = 2}});
}

TEST(Conv2dReluMaxPool, SharesRowsAndSlicesAmongThreads) {
  check({{5, 30, 34, 3}, {3, 3, 3, 16}});
  check({{2, 8, 40, 64}, {3, 3, 64, 8}});  // so many channels that a row is taken in parts
  check({{5, 70, 66, 8}, {1, 1, 8, 64}});  // an image at a time
  check({{5, 70, 66, 8}, {1, 1, 8, 64}, {}, {.pool_size = {3, 3}}});
}

TEST(Conv2dReluMaxPool, KeepsANaN) {
  for (const int64_t channels : {3, 8}) {
    std::vector<double> x(static_cast<size_t>(36 * channels), 0.5);
    x[7] = std::numeric_limits<double>::quiet_NaN();
    testing::check_op({.title = "NaN",
                       .op = conv2d_relu_max_pool_op({}),
                       .inputs = {{{}, {1, 6, 6, channels}}, {{}, {3, 3, channels, 8}}},
                       .values = {x},
                       .check_gradient = false,
                       .reduction_length = 100});
  }
}

TEST(Conv2dReluMaxPool, AcceptsAnEmptyBatch) {
  check({{0, 9, 8, 3}, {3, 3, 3, 8}});
}

TEST(Conv2dReluMaxPool, IsRefusedWhereWindowsOverlapOrLeaveNoValueForNone) {
  EXPECT_TRUE(can_fuse({}, {}));
  EXPECT_TRUE(can_fuse({}, {.pool_size = {2, 2}, .strides = {3, 3}}));
  EXPECT_FALSE(can_fuse({}, {.pool_size = {3, 3}, .strides = {2, 2}}));
  EXPECT_FALSE(can_fuse({}, {.pool_size = {16, 16}}));
}

}  // namespace
}  // namespace plimsoll
