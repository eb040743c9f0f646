#include "plimsoll/nn/networks/sequential.h"

#include <gtest/gtest.h>

#include <array>

#include "plimsoll/nn/convolution/conv2d.h"
#include "plimsoll/nn/layers/dense.h"
#include "plimsoll/nn/layers/reshaping.h"
#include "plimsoll/nn/networks/functional.h"
#include "plimsoll/nn/networks/input.h"
#include "plimsoll/nn/networks/summary.h"
#include "plimsoll/ops/movement/movement.h"
#include "tests/support/messages.h"

namespace plimsoll {
namespace {

using testing::message_of;

TEST(Sequential, IsBuiltByItsFirstCall) {
  SequentialBody model({Dense({.units = 3, .name = "a"}), Dense({.units = 2, .name = "b"})}, "m");
  EXPECT_TRUE(model.weights().empty());
  EXPECT_TRUE(model.inputs().empty());
  model({placeholder({DType::float32, {8, 5}})}, {});
  ASSERT_EQ(model.weights().size(), 4u);
  EXPECT_EQ(model.weights()[0].name(), "m/a/kernel");
  EXPECT_EQ(display(model.inputs()[0].spec.shape), "(None, 5)");
  EXPECT_EQ(display(model.outputs()[0].spec.shape), "(None, 2)");
  EXPECT_EQ(model({placeholder({DType::float32, {3, 5}})}, {})[0].shape(), (Shape{3, 2}));
}

TEST(Sequential, IsBuiltFromAnInputLayer) {
  SequentialBody model({InputLayer({.shape = {5}, .name = "x"})}, "m");
  model.add(Dense({.units = 3, .name = "a"}));
  EXPECT_EQ(model.weights().size(), 2u);
  model.add(Dense({.units = 2, .name = "b"}));
  EXPECT_EQ(model.weights().size(), 4u);
  model.pop();
  EXPECT_EQ(model.weights().size(), 2u);
  EXPECT_EQ(display(model.outputs()[0].spec.shape), "(None, 3)");
  EXPECT_EQ(message_of([&] {
              model({placeholder({DType::float32, {8, 6}})}, {});
            }),
            "m: input 'x' has shape (8, 6), expected (None, 5)");
}

TEST(Sequential, RefusesWhatIsNoSequence) {
  EXPECT_EQ(message_of([] { SequentialBody({}, "m")({scalar(1)}, {}); }),
            "m: has no layers; add one before calling it");
  EXPECT_EQ(message_of([] {
              SequentialBody({Dense({.units = 3}), InputLayer({.shape = {5}, .name = "i"})}, "m");
            }),
            "m: an InputLayer must come first, found 'i' at position 1");
  EXPECT_EQ(
      message_of([] {
        SequentialBody({Dense({.units = 3, .name = "a"}), Dense({.units = 3, .name = "a"})}, "m");
      }),
      "m: two layers are called 'a'; names must differ");
}

TEST(Sequential, StartsFromTheSameWeightsForTheSameSeedAndNames) {
  const auto weights = [] {
    reset_names();
    SequentialBody model({InputLayer({.shape = {5}}), Dense({.units = 3})});
    return model.weights()[0].value().to_vector();
  };
  EXPECT_EQ(weights(), weights());
}

TEST(Names, CountUpAsKerasDoes) {
  reset_names();
  EXPECT_EQ(unique_name("Conv2D"), "conv2d");
  EXPECT_EQ(unique_name("Conv2D"), "conv2d_1");
  EXPECT_EQ(unique_name("MaxPooling2D"), "max_pooling2d");
  EXPECT_EQ(unique_name("BatchNormalization"), "batch_normalization");
  EXPECT_EQ(unique_name("RMSprop"), "rm_sprop");
  EXPECT_EQ(unique_name("SGD"), "sgd");
  EXPECT_EQ(unique_name("AdamW"), "adam_w");
}

TEST(Summary, ShowsLayersShapesAndParameters) {
  SequentialBody model(
      {InputLayer({.shape = {28, 28, 1}}),
       Conv2D({.filters = 32, .kernel_size = 3, .name = "conv"}), Flatten({.name = "flatten"}),
       Dense({.units = 10, .name = "head", .trainable = false})},
      "cnn");
  EXPECT_EQ(summary(model, {Variable("slot", {DType::float32, {320}})}),
            "Model: \"cnn\"\n"
            "--------------------------------------------------\n"
            " Layer (type)        Output Shape         Param #\n"
            "--------------------------------------------------\n"
            " conv (Conv2D)       (None, 26, 26, 32)       320\n"
            " flatten (Flatten)   (None, 21632)              0\n"
            " head (Dense)        (None, 10)           216,330\n"
            "--------------------------------------------------\n"
            " Total params: 216,970 (847.5 KiB)\n"
            " Trainable params: 320 (1.2 KiB)\n"
            " Non-trainable params: 216,330 (845.0 KiB)\n"
            " Optimizer params: 320 (1.2 KiB)\n");
}

TEST(Sequential, KeepsItsOwnInputBeforeANetwork) {
  const Layer inner(std::make_shared<SequentialBody>(
      Layers{InputLayer({.shape = {5}, .name = "inner_input"}), Dense({.units = 2})}, "inner"));
  const SequentialBody outer({InputLayer({.shape = {5}, .name = "outer_input"}), inner}, "outer");
  EXPECT_EQ(outer.inputs()[0].name, "outer_input");
}

TEST(Summary, ShowsWhatALayerReadsWhereAModelBranches) {
  const Tensor a = Input({.shape = {4}, .name = "a"}), b = Input({.shape = {4}, .name = "b"});
  const Dense tower({.units = 3, .name = "tower"});
  const FunctionalBody model({a, b}, {concatenate({tower(a), tower(b)})}, "twin");
  EXPECT_EQ(summary(model),
            "Model: \"twin\"\n"
            "-------------------------------------------------------------------\n"
            " Layer (type)                Output Shape   Param #   Connected to\n"
            "-------------------------------------------------------------------\n"
            " a (InputLayer)              (None, 4)            0   -\n"
            " b (InputLayer)              (None, 4)            0   -\n"
            " tower (Dense)               (None, 3)           15   a, b\n"
            " concatenate (concatenate)   (None, 6)            0   tower, tower\n"
            "-------------------------------------------------------------------\n"
            " Total params: 15 (60 B)\n"
            " Trainable params: 15 (60 B)\n"
            " Non-trainable params: 0 (0 B)\n");
}

TEST(Summary, OfAModelThatHasSeenNoInput) {
  const SequentialBody model({Dense({.units = 10, .name = "head"})}, "m");
  EXPECT_NE(summary(model).find(" head (Dense)   ?              0 (unbuilt)\n"), std::string::npos)
      << summary(model);
}

}  // namespace
}  // namespace plimsoll
