// What layers say when they are given something that cannot work.
#include <gtest/gtest.h>

#include "plimsoll/nn/convolution/conv2d.h"
#include "plimsoll/nn/convolution/pooling2d.h"
#include "plimsoll/nn/layers/activation.h"
#include "plimsoll/nn/layers/batch_normalization.h"
#include "plimsoll/nn/layers/dense.h"
#include "plimsoll/nn/layers/dropout.h"
#include "plimsoll/nn/layers/merging.h"
#include "plimsoll/nn/layers/reshaping.h"
#include "plimsoll/nn/networks/sequential.h"
#include "tests/support/messages.h"

namespace plimsoll {
namespace {

using testing::message_of;

Tensor input(const Shape& shape) {
  return placeholder({DType::float32, shape});
}

TEST(LayerErrors, OfOptions) {
  EXPECT_EQ(message_of([] { Dense({.name = "d"}); }), "d: units must be at least 1, found 0");
  EXPECT_EQ(message_of([] { Conv2D({.filters = 6, .name = "c"}); }),
            "c: kernel_size must be at least 1, found 0");
  EXPECT_EQ(message_of([] { Conv2D({.filters = 6, .kernel_size = 3, .groups = 4, .name = "c"}); }),
            "c: 4 groups do not divide 6 filters");
  EXPECT_EQ(message_of([] { Conv2D({.filters = 6, .kernel_size = 3, .padding = "full"}); }),
            "padding: 'full' is not known (known: valid, same)");
  EXPECT_EQ(message_of([] { Dropout({.rate = 1.5, .name = "d"}); }),
            "d: rate must be between 0 and 1, found 1.5");
  EXPECT_EQ(message_of([] {
              Reshape({.target_shape = {-1, -1}, .name = "r"});
            }),
            "r: target_shape (-1, -1) has more than one -1");
  EXPECT_TRUE(message_of([] { Activation({.activation = "rleu"}); }).find("rleu") !=
              std::string::npos);
}

TEST(LayerErrors, OfRank) {
  EXPECT_EQ(message_of([] { Dense({.units = 2, .name = "d"})(input({3})); }),
            "d: expected an input of rank 2 or more, (batch, …, features), found (3,)");
  EXPECT_EQ(message_of([] {
              Conv2D({.filters = 2, .kernel_size = 3, .name = "c"})(input({28, 28, 3}));
            }),
            "c: expected images of shape (batch, height, width, channels), found (28, 28, 3)");
  EXPECT_EQ(message_of([] {
              MaxPooling2D({.name = "p"})(input({2, 3}));
            }),
            "p: expected images of shape (batch, height, width, channels), found (2, 3)");
}

TEST(LayerErrors, OfChannels) {
  const Conv2D grouped({.filters = 4, .kernel_size = 3, .groups = 2, .name = "c"});
  EXPECT_EQ(message_of([&] {
              grouped(input({1, 8, 8, 3}));
            }),
            "c: 2 groups do not divide the input's 3 channels");
  const Conv2D conv({.filters = 4, .kernel_size = 3, .name = "c"});
  conv(input({1, 8, 8, 3}));
  EXPECT_EQ(message_of([&] {
              conv(input({1, 8, 8, 1}));
            }),
            "c: input has 1 channel, kernel expects 3 (found shape (1, 8, 8, 1))");
  const Dense dense({.units = 4, .name = "d"});
  dense(input({2, 7}));
  EXPECT_EQ(message_of([&] {
              dense(input({2, 6}));
            }),
            "d: input has 6 features, kernel expects 7 (found shape (2, 6))");
  const BatchNormalization norm({.name = "n"});
  norm(input({2, 7}));
  EXPECT_EQ(message_of([&] {
              norm(input({2, 6}));
            }),
            "n: input has 6 channels, the layer was built for 7 (found shape (2, 6))");
}

TEST(LayerErrors, NameTheWholePath) {
  SequentialBody model({Dense({.units = 4, .name = "d"})}, "tower");
  model({input({2, 7})}, {});
  EXPECT_EQ(message_of([&] {
              model({input({2, 6})}, {});
            }),
            "tower/d: input has 6 features, kernel expects 7 (found shape (2, 6))");
}

TEST(LayerErrors, OfTheNumberOfInputs) {
  EXPECT_EQ(message_of([] {
              Dense({.units = 4, .name = "d"})(Tensors{input({2, 7}), input({2, 7})});
            }),
            "d: expected 1 input, found 2");
  EXPECT_EQ(message_of([] {
              Subtract({.name = "s"})(Tensors{input({2, 7})});
            }),
            "s: expected two tensors, found 1");
  EXPECT_EQ(message_of([] { Layer()(input({2, 7})); }), "layer: empty (default-constructed)");
}

TEST(LayerErrors, OfShapesThatDoNotFill) {
  EXPECT_EQ(message_of([] {
              Reshape({.target_shape = {5}, .name = "r"})(input({2, 3, 4}));
            }),
            "r: a sample of shape (3, 4) does not fill target_shape (5,)");
}

TEST(LayerErrors, LeaveTheLayerAsItWas) {
  const Dense dense({.units = 4, .kernel_initializer = "orthogonal", .name = "d"});
  EXPECT_NE(message_of([&] { dense(input({3})); }), "no error");
  EXPECT_FALSE(dense->built());
  dense(input({2, 7}));
  EXPECT_EQ(dense->weights().size(), 2u);
}

}  // namespace
}  // namespace plimsoll
