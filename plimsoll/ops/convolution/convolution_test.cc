#include "plimsoll/ops/convolution/convolution.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "plimsoll/base/error.h"
#include "plimsoll/graph/node.h"
#include "plimsoll/ops/convolution/convolution_fusion.h"
#include "plimsoll/ops/convolution/convolution_gradients.h"
#include "plimsoll/ops/convolution/convolution_problem.h"
#include "tests/support/op_check.h"

namespace plimsoll {
namespace {

using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

struct Case {
  Shape x, kernel;
  ConvolutionOptions options = {};
};

std::string title(const Case& c) {
  const ConvolutionOptions& o = c.options;
  return "strides " + std::to_string(o.strides[0]) + "x" + std::to_string(o.strides[1]) +
         (o.padding == Padding::same ? " same" : " valid") + " dilation " +
         std::to_string(o.dilation_rate[0]) + "x" + std::to_string(o.dilation_rate[1]) +
         " groups " + std::to_string(o.groups);
}

// The convolution and both of its gradients.
void check(const Case& c) {
  const Spec x{DType::float32, c.x}, kernel{DType::float32, c.kernel};
  const Spec bias{DType::float32, {c.kernel[3]}};
  const Spec y{DType::float32, y_shape(convolution_problem(c.x, c.kernel, c.options))};
  const std::array<int64_t, 2> size = {c.x[1], c.x[2]}, window = {c.kernel[0], c.kernel[1]};
  const double taps = static_cast<double>(c.kernel.elements(0, 3));
  const double positions = static_cast<double>(y.shape.elements(0, 3));
  const bool small = c.x.elements() * c.kernel.elements() < 60000;
  testing::check_op({.title = title(c),
                     .op = conv2d_op({.options = c.options, .bias = true}),
                     .inputs = {x, kernel, bias},
                     .check_gradient = small,
                     .reduction_length = taps});
  testing::check_op({.title = title(c),
                     .op = conv2d_op({.options = c.options}),
                     .inputs = {x, kernel},
                     .check_gradient = false,
                     .reduction_length = taps});
  testing::check_op({.title = title(c),
                     .op = testing::recorded_op(
                         [&](const Tensors& in) {
                           return convolution_input_gradient<2>(in[0], in[1], size, c.options);
                         },
                         {kernel, y}),
                     .inputs = {kernel, y},
                     .check_gradient = small,
                     .reduction_length = taps * static_cast<double>(c.kernel[3])});
  testing::check_op(
      {.title = title(c),
       .op = testing::recorded_op(
           [&](const Tensors& in) {
             return convolution_kernel_gradient<2>(in[0], in[1], window, c.options, true).kernel;
           },
           {x, y}),
       .inputs = {x, y},
       .check_gradient = small,
       .reduction_length = positions});
}

TEST(Conv2d, AgreesWithItsReferenceWhereStridesSkipPixels) {
  for (const int64_t size : {11, 12})
    for (const auto& [channels, filters] :
         std::vector<std::pair<int64_t, int64_t>>{{6, 8}, {8, 6}, {12, 20}, {16, 8}})
      for (const int64_t stride : {2, 3})
        check(
            {{2, size, size, channels}, {1, 1, channels, filters}, {.strides = {stride, stride}}});
}

TEST(Conv2d, AgreesWithItsReferenceForAnyNumberOfChannels) {
  for (const auto& [channels, filters] : std::vector<std::pair<int64_t, int64_t>>{
           {1, 8}, {3, 16}, {3, 5}, {8, 16}, {16, 8}, {24, 12}, {12, 24}, {1, 1}, {32, 64}})
    check({{2, 9, 7, channels}, {3, 3, channels, filters}});
}

TEST(Conv2d, StridesPadsAndDilatesAsTensorFlow) {
  for (const Padding padding : {Padding::valid, Padding::same})
    for (const std::array<int64_t, 2> strides : {std::array<int64_t, 2>{1, 1}, {2, 2}, {3, 1}})
      for (const int64_t channels : {3, 8, 12})
        check({{2, 9, 7, channels}, {3, 2, channels, 8}, {.strides = strides, .padding = padding}});
  for (const Padding padding : {Padding::valid, Padding::same})
    for (const int64_t channels : {3, 8})
      check({{2, 9, 7, channels},
             {3, 3, channels, 16},
             {.padding = padding, .dilation_rate = {2, 3}}});
}

TEST(Conv2d, TakesKernelsOfOnePositionAndOfTheWholeImage) {
  check({{3, 5, 5, 16}, {1, 1, 16, 24}});
  check({{3, 5, 5, 16}, {1, 1, 16, 8}, {.strides = {2, 2}}});
  check({{2, 5, 5, 8}, {5, 5, 8, 16}});
  check({{2, 2, 3, 8}, {5, 5, 8, 8}, {.padding = Padding::same}});
  check({{2, 1, 12, 8}, {1, 3, 8, 8}});
}

TEST(Conv2d, ConvolvesGroupsOfChannelsApart) {
  check({{2, 6, 5, 16}, {3, 3, 8, 16}, {.groups = 2}});
  check({{2, 6, 5, 6}, {3, 3, 2, 9}, {.padding = Padding::same, .groups = 3}});
  check({{2, 6, 5, 8}, {3, 3, 1, 8}, {.padding = Padding::same, .groups = 8}});
  check({{2, 6, 5, 8}, {3, 3, 1, 16}, {.groups = 8}});
}

TEST(Conv2d, AcceptsAnEmptyBatch) {
  check({{0, 6, 5, 8}, {3, 3, 8, 8}});
}

TEST(Conv2d, TakesThePositivePartInTheSamePass) {
  for (const int64_t channels : {3, 8, 12}) {
    const Specs inputs = {{{}, {2, 6, 5, channels}}, {{}, {3, 3, channels, 8}}, {{}, {8}}};
    const OpPtr plain = conv2d_op({.options = {.padding = Padding::same}, .bias = true});
    testing::check_op({.title = "relu",
                       .op = with_relu(*plain),
                       .inputs = inputs,
                       .reduction_length = 9.0 * static_cast<double>(channels)});
  }
  testing::check_op({.title = "an image at a time",
                     .op = conv2d_op({.options = {}, .relu = true}),
                     .inputs = {{{}, {5, 70, 66, 3}}, {{}, {1, 1, 3, 64}}},
                     .check_gradient = false,
                     .reduction_length = 3});
  EXPECT_EQ(with_relu(*testing::recorded_op(
                [](const Tensors& in) {
                  return convolution_input_gradient<2>(in[0], in[1], {3, 3}, {});
                },
                {{{}, {2, 2, 1, 1}}, {{}, {1, 2, 2, 1}}})),
            nullptr);
}

TEST(Conv2d, KeepsANaNWithThePositivePart) {
  for (const int64_t channels : {3, 8, 12}) {
    std::vector<double> x(static_cast<size_t>(30 * channels), 0.5);
    x[7] = std::numeric_limits<double>::quiet_NaN();
    testing::check_op({.title = "NaN",
                       .op = conv2d_op({.options = {}, .relu = true}),
                       .inputs = {{{}, {1, 6, 5, channels}}, {{}, {3, 3, channels, 8}}},
                       .values = {x},
                       .check_gradient = false,
                       .reduction_length = 100});
  }
}

TEST(Conv2d, KeepsChannelsInBlocksWhereTheyFill) {
  const auto layouts = [](int64_t channels, int64_t filters) {
    const Specs in = {{{}, {2, 6, 5, channels}}, {{}, {3, 3, channels, filters}}};
    const OpPtr op = conv2d_op({});
    return op->layouts(in, op->infer(in), std::vector<Layout>(2));
  };
  EXPECT_FALSE(layouts(16, 32).inputs[0].is_plain());
  EXPECT_FALSE(layouts(16, 32).outputs[0].is_plain());
  EXPECT_TRUE(layouts(3, 32).inputs[0].is_plain());
  EXPECT_FALSE(layouts(3, 32).outputs[0].is_plain());
  EXPECT_TRUE(layouts(12, 32).inputs[0].is_plain());
  // Blocks of 16 leave no choice: 12 channels are less than one of them.
  const bool has_blocks_of_16 = layouts(16, 32).inputs[0].channel_block == 16;
  EXPECT_TRUE(has_blocks_of_16 || layouts(12, 32).outputs[0].is_plain());
}

TEST(Conv2d, RefusesWhatCannotBeConvolved) {
  const auto x = [](const Shape& shape) { return placeholder({{}, shape}); };
  const Tensor kernel = x({3, 3, 3, 8});
  EXPECT_THAT(
      [&] {
        conv2d(x({2, 9, 7, 1}), kernel);
      },
      ThrowsMessage<InvalidArgument>(HasSubstr("input has 1 channel, kernel expects 3")));
  EXPECT_THAT(
      [&] {
        conv2d(x({2, 2, 7, 3}), kernel);
      },
      ThrowsMessage<InvalidArgument>(
          HasSubstr("a window that spans 3 does not fit into a height of 2")));
  EXPECT_THAT(
      [&] {
        conv2d(x({2, 9, 7, 3}), kernel, x({7}));
      },
      ThrowsMessage<InvalidArgument>(HasSubstr("bias must be of shape (8,), found (7,)")));
  EXPECT_THROW(conv2d(x({9, 7, 3}), kernel), InvalidArgument);
  EXPECT_THROW(conv2d(x({2, 9, 7, 3}), x({3, 3, 3})), InvalidArgument);
  EXPECT_THROW(conv2d(x({2, 9, 7, 3}), kernel, {.strides = {0, 1}}), InvalidArgument);
  EXPECT_THROW(conv2d(x({2, 9, 7, 3}), kernel, {.groups = 2}), InvalidArgument);
  EXPECT_THROW(conv2d(placeholder({DType::int32, {2, 9, 7, 3}}), kernel), InvalidArgument);
}

}  // namespace
}  // namespace plimsoll
