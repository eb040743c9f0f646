// conv3d and its gradients.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "plimsoll/base/error.h"
#include "plimsoll/graph/node.h"
#include "plimsoll/ops/convolution/convolution.h"
#include "plimsoll/ops/convolution/convolution_fusion.h"
#include "plimsoll/ops/convolution/convolution_gradients.h"
#include "plimsoll/ops/convolution/convolution_problem.h"
#include "tests/support/op_check.h"

namespace plimsoll {
namespace {

using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

struct VolumeCase {
  Shape x, kernel;
  VolumeConvolutionOptions options = {};
};

// The convolution and both of its gradients.
void check_volumes(const VolumeCase& c) {
  const Spec x{DType::float32, c.x}, kernel{DType::float32, c.kernel};
  const Spec bias{DType::float32, {c.kernel.back()}};
  const OpPtr op = conv3d_op({.options = c.options, .bias = true});
  const Spec y{DType::float32, y_shape(convolution_problem(c.x, c.kernel, c.options))};
  const auto taps = static_cast<double>(c.kernel.elements(0, 4));
  const auto positions = static_cast<double>(y.shape.elements(0, 4));
  const std::string title = to_string(*op);
  testing::check_op(
      {.title = title, .op = op, .inputs = {x, kernel, bias}, .reduction_length = taps});
  testing::check_op({.title = title,
                     .op = testing::recorded_op(
                         [&](const Tensors& in) {
                           return convolution_input_gradient<3>(
                               in[0], in[1], spatial_sizes<3>(c.x, 1), c.options);
                         },
                         {kernel, y}),
                     .inputs = {kernel, y},
                     .reduction_length = taps * static_cast<double>(c.kernel.back())});
  testing::check_op({.title = title,
                     .op = testing::recorded_op(
                         [&](const Tensors& in) {
                           return convolution_kernel_gradient<3>(
                                      in[0], in[1], spatial_sizes<3>(c.kernel, 0), c.options, true)
                               .kernel;
                         },
                         {x, y}),
                     .inputs = {x, y},
                     .reduction_length = positions});
}

TEST(Conv3d, AgreesWithItsReferenceForAnyNumberOfChannels) {
  for (const auto& [channels, filters] :
       std::vector<std::pair<int64_t, int64_t>>{{1, 1}, {1, 8}, {3, 5}, {8, 16}, {16, 3}})
    check_volumes({{2, 3, 4, 3, channels}, {2, 3, 2, channels, filters}});
}

TEST(Conv3d, StridesPadsAndDilates) {
  for (const Padding padding : {Padding::valid, Padding::same})
    for (const std::array<int64_t, 3> strides : {std::array<int64_t, 3>{1, 1, 1}, {2, 1, 2}})
      for (const int64_t channels : {3, 8})
        check_volumes({{1, 4, 3, 5, channels},
                       {3, 2, 2, channels, 8},
                       {.strides = strides, .padding = padding}});
  check_volumes(
      {{1, 5, 4, 5, 3}, {2, 2, 3, 3, 4}, {.padding = Padding::same, .dilation_rate = {2, 1, 2}}});
}

TEST(Conv3d, TakesKernelsOfOnePositionAndSkips) {
  for (const int64_t channels : {3, 6, 8, 12})
    check_volumes({{2, 3, 4, 3, channels}, {1, 1, 1, channels, 8}, {.strides = {2, 2, 1}}});
}

TEST(Conv3d, ConvolvesGroupsOfChannelsApart) {
  check_volumes({{2, 3, 3, 4, 6}, {2, 2, 2, 2, 9}, {.padding = Padding::same, .groups = 3}});
  check_volumes({{1, 3, 3, 4, 4}, {2, 2, 2, 1, 4}, {.groups = 4}});
}

TEST(Conv3d, AcceptsAnEmptyBatch) {
  check_volumes({{0, 3, 3, 4, 2}, {2, 2, 2, 2, 3}});
}

TEST(Conv3d, RefusesWhatCannotBeConvolved) {
  const auto x = [](const Shape& shape) { return placeholder({{}, shape}); };
  const Tensor kernel = x({3, 3, 3, 2, 8});
  EXPECT_THAT(
      [&] {
        conv3d(x({2, 2, 5, 5, 2}), kernel);
      },
      ThrowsMessage<InvalidArgument>(
          HasSubstr("a window that spans 3 does not fit into a depth of 2")));
  EXPECT_THAT(
      [&] {
        conv3d(x({2, 5, 5, 2}), kernel);
      },
      ThrowsMessage<InvalidArgument>(
          HasSubstr("x must be (batch, depth, height, width, channels)")));
  EXPECT_THROW(conv3d(x({2, 5, 5, 5, 3}), kernel), InvalidArgument);
}

}  // namespace
}  // namespace plimsoll
