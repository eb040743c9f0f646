#include "plimsoll/nn/networks/functional.h"

#include <gtest/gtest.h>

#include <array>

#include "plimsoll/nn/convolution/conv2d.h"
#include "plimsoll/nn/convolution/pooling2d.h"
#include "plimsoll/nn/layers/dense.h"
#include "plimsoll/nn/layers/merging.h"
#include "plimsoll/nn/layers/reshaping.h"
#include "plimsoll/nn/networks/input.h"
#include "plimsoll/ops/elementwise/elementwise.h"
#include "plimsoll/ops/movement/movement.h"
#include "plimsoll/ops/reduction/reduction.h"
#include "tests/support/messages.h"

namespace plimsoll {
namespace {

using testing::message_of;

std::vector<std::string> layer_names(const Network& network) {
  std::vector<std::string> names;
  for (const auto& child : network.children()) names.push_back(child.layer->name());
  return names;
}

TEST(Functional, ReplaysItsDefinitionForAnyBatch) {
  const Tensor x = Input({.shape = {3}});
  const Dense dense({.units = 2});
  FunctionalBody model({x}, {relu(dense(x)) * 2 + 1});
  for (const int64_t batch : {1, 5}) {
    const std::vector<float> values(static_cast<size_t>(3 * batch), 0.5f);
    const Tensor input = constant(values, {batch, 3});
    const Tensor expected = relu(dense(input)) * 2 + 1;
    EXPECT_EQ(model({input}, {})[0].to_vector(), expected.to_vector());
  }
}

TEST(Functional, SharesTheWeightsOfALayerUsedTwice) {
  const Tensor a = Input({.shape = {3}}), b = Input({.shape = {3}});
  const Dense tower({.units = 2});
  FunctionalBody model({a, b}, {concatenate({tower(a), tower(b)})});
  EXPECT_EQ(model.weights(), tower->weights());
  const Tensor input = constant(std::array{1.f, 2.f, 3.f}, {1, 3});
  const std::vector<float> y = model({input, input}, {})[0].to_vector();
  EXPECT_EQ(y[0], y[2]);
  EXPECT_EQ(y[1], y[3]);
}

TEST(Functional, HasManyOutputsNamedByTheirLayers) {
  const Tensor x = Input({.shape = {4}, .name = "x"});
  const Dense one({.units = 1, .name = "one"}), two({.units = 2, .name = "two"});
  FunctionalBody model({x}, {one(x), two(x)});
  const Ports outputs = model.outputs();
  ASSERT_EQ(outputs.size(), 2u);
  EXPECT_EQ(outputs[0].name, "one");
  EXPECT_EQ(outputs[1].name, "two");
  EXPECT_EQ(display(outputs[1].spec.shape), "(None, 2)");
  const Tensors y = model({placeholder({DType::float32, {7, 4}})}, {});
  EXPECT_EQ(y[1].shape(), (Shape{7, 2}));
}

TEST(Functional, IsALayerOfAnotherModel) {
  const Tensor x = Input({.shape = {4}});
  const Layer inner(std::make_shared<FunctionalBody>(
      Tensors{x}, Tensors{Dense({.units = 3, .name = "d"})(x)}, "inner"));
  const Tensor a = Input({.shape = {4}});
  FunctionalBody outer({a}, {Dense({.units = 1})(inner(a))});
  EXPECT_EQ(outer.weights().size(), 4u);
  EXPECT_EQ(outer({placeholder({DType::float32, {2, 4}})}, {})[0].shape(), (Shape{2, 1}));
  inner->set_trainable(false);
  EXPECT_EQ(outer.trainable_variables().size(), 2u);
}

TEST(Functional, FindsDimensionsThatDependOnTheUnknown) {
  const Tensor image = Input({.shape = {kUnknown, kUnknown, 3}});
  const Tensor y = Conv2D({.filters = 8, .kernel_size = 3, .strides = 2})(image);
  FunctionalBody model({image}, {y, GlobalAveragePooling2D()(y), Flatten()(y)});
  const Ports outputs = model.outputs();
  EXPECT_EQ(display(outputs[0].spec.shape), "(None, None, None, 8)");
  EXPECT_EQ(display(outputs[1].spec.shape), "(None, 8)");
  EXPECT_EQ(display(outputs[2].spec.shape), "(None, None)");
}

// A layer comes before another that is nearer to the outputs, as in Keras.
TEST(Functional, OrdersItsLayersByDepth) {
  const Tensor a = Input({.shape = {2}, .name = "a"}), b = Input({.shape = {2}, .name = "b"});
  const Tensor short_way = Dense({.units = 3, .name = "short"})(b);
  const Tensor long_way =
      Dense({.units = 3, .name = "second"})(Dense({.units = 3, .name = "first"})(a));
  const Tensor sum = Add({.name = "sum"})({short_way, long_way})[0];
  const FunctionalBody model({a, b}, {sum});
  EXPECT_EQ(layer_names(model),
            (std::vector<std::string>{"a", "b", "first", "short", "second", "sum"}));
}

TEST(Functional, CastsInputsAndMatchesColumns) {
  const Tensor x = Input({.shape = {1}});
  FunctionalBody model({x}, {x * 2});
  EXPECT_EQ(model({constant(std::array<uint8_t, 3>{1, 2, 3}, {3})}, {})[0].to_vector(),
            (std::vector{2.f, 4.f, 6.f}));
}

TEST(Functional, RefusesInputsThatDoNotFit) {
  const Tensor a = Input({.shape = {5}, .name = "left"}), b = Input({.shape = {5}});
  FunctionalBody model({a, b}, {a + b}, "twin");
  const Tensor x = placeholder({DType::float32, {8, 5}});
  EXPECT_EQ(message_of([&] { model({x}, {}); }), "twin: expected 2 inputs, found 1");
  EXPECT_EQ(message_of([&] {
              model({placeholder({DType::float32, {8, 6}}), x}, {});
            }),
            "twin: input 'left' has shape (8, 6), expected (None, 5)");
}

TEST(Functional, RefusesOutputsThatAreNotConnected) {
  const Tensor a = Input({.shape = {5}, .name = "a"}), b = Input({.shape = {5}, .name = "b"});
  EXPECT_EQ(message_of([&] { FunctionalBody({a}, {a + b}, "m"); }),
            "m: the outputs depend on the input 'b', which is not among the model's inputs");
  EXPECT_EQ(message_of([&] {
              FunctionalBody({a}, {a, scalar(1)}, "m");
            }),
            "m: output 1 does not depend on the inputs");
  EXPECT_EQ(message_of([&] { FunctionalBody({a + 1}, {a}, "m"); }),
            "m: input 0 was not made by Input()");
  EXPECT_EQ(message_of([&] {
              FunctionalBody({a, a}, {a}, "m");
            }),
            "m: input 1 ('a') is given twice");
  const Variable w("w", {DType::float32, {5}});
  EXPECT_EQ(message_of([&] { FunctionalBody({a}, {a * w}, "m"); }),
            "m: reads the variable w outside a layer; make it a weight of one");
}

TEST(Functional, DoesNotEvaluateItsDefinition) {
  const Tensor x = Input({.shape = {5}});
  EXPECT_EQ(message_of([&] { (x + 1).to_vector(); }),
            "tensor: part of a functional model's definition, it has no value");
}

}  // namespace
}  // namespace plimsoll
