// Whole models against real Keras: the losses of three SGD steps, the weights after them, and a
// prediction.
#include <gtest/gtest.h>

#include <algorithm>

#include "plimsoll/graph/gradient.h"
#include "plimsoll/nn/convolution/conv2d.h"
#include "plimsoll/nn/convolution/pooling2d.h"
#include "plimsoll/nn/layers/batch_normalization.h"
#include "plimsoll/nn/layers/dense.h"
#include "plimsoll/nn/layers/dropout.h"
#include "plimsoll/nn/layers/merging.h"
#include "plimsoll/nn/layers/reshaping.h"
#include "plimsoll/nn/losses/crossentropy.h"
#include "plimsoll/nn/metrics/accuracy.h"
#include "plimsoll/nn/networks/functional.h"
#include "plimsoll/nn/networks/input.h"
#include "plimsoll/nn/networks/sequential.h"
#include "plimsoll/nn/optimizers/sgd.h"
#include "plimsoll/ops/elementwise/elementwise.h"
#include "tests/support/golden.h"

namespace plimsoll {
namespace {

using testing::expect_golden;
using testing::GoldenCase;

constexpr int kSteps = 3;

// "sequential/dense/kernel" -> "dense/kernel"
std::string short_name(const Variable& weight) {
  const std::string& name = weight.name();
  const size_t last = name.find_last_of('/');
  const size_t before = name.find_last_of('/', last - 1);
  return before == std::string::npos ? name : name.substr(before + 1);
}

Tensors inputs_of(const GoldenCase& golden, int step) {
  Tensors inputs;
  for (int i = 0;; ++i) {
    const std::string name = "x" + std::to_string(i) + "." + std::to_string(step);
    if (!golden.has_tensor(name)) return inputs;
    inputs.push_back(golden.tensor(name));
  }
}

void set_weights(const GoldenCase& golden, const Network& network) {
  std::vector<std::string> names;
  for (Variable weight : network.weights()) {
    names.push_back(short_name(weight));
    weight.set(golden.tensor("w0." + names.back()).to_vector());
  }
  EXPECT_EQ(names, golden.words("weights"));
}

void train_and_compare(const GoldenCase& golden, Network& network, const Loss& loss) {
  set_weights(golden, network);
  const SGD optimizer({.learning_rate = golden.number("learning_rate", 0)});
  for (int step = 0; step < kSteps; ++step) {
    const std::string suffix = "." + std::to_string(step);
    const GradientTape tape;
    const Tensor prediction = network(inputs_of(golden, step), {.training = true})[0];
    Tensor total = loss(golden.tensor("y" + suffix), prediction);
    for (const Tensor& penalty : network.losses()) total = total + penalty;
    const Metric accuracy("accuracy");
    accuracy.update_state(golden.tensor("y" + suffix), prediction);
    const Variables weights = network.trainable_variables();
    optimizer.apply_gradients(tape.gradient(total, weights), weights);
    expect_golden(golden, "loss" + suffix, total);
    if (golden.has_tensor("accuracy" + suffix))
      expect_golden(golden, "accuracy" + suffix, std::vector{accuracy.result()});
  }
  for (const Variable& weight : network.weights())
    expect_golden(golden, "w3." + short_name(weight), weight.value());
  expect_golden(golden, "prediction", network(inputs_of(golden, 0), {})[0]);
}

TEST(TrainingGolden, OfAnMlp) {
  SequentialBody network({InputLayer({.shape = {6}}),
                          Dense({.units = 8, .activation = "tanh", .name = "hidden_1"}),
                          Dense({.units = 5, .activation = "relu", .name = "hidden_2"}),
                          Dense({.units = 2, .name = "head"})});
  train_and_compare(testing::read_golden("training", "mlp"), network, "mean_squared_error");
}

TEST(TrainingGolden, OfACnn) {
  SequentialBody network({InputLayer({.shape = {9, 7, 3}}),
                          Conv2D({.filters = 8,
                                  .kernel_size = 3,
                                  .padding = "same",
                                  .activation = "relu",
                                  .name = "conv"}),
                          MaxPooling2D({.name = "pool"}), BatchNormalization({.name = "norm"}),
                          Dropout({.rate = 0}), Flatten(),
                          Dense({.units = 4, .activation = "softmax", .name = "head"})});
  train_and_compare(testing::read_golden("training", "cnn"), network,
                    "sparse_categorical_crossentropy");
}

TEST(TrainingGolden, OfATwinWithASharedLayer) {
  const Tensor left = Input({.shape = {5}, .name = "left"});
  const Tensor right = Input({.shape = {5}, .name = "right"});
  const Dense tower({.units = 6, .activation = "relu", .name = "tower"});
  const Dense head({.units = 1, .activation = "sigmoid", .name = "head"});
  const Tensor joined = Concatenate({.name = "joined"})({tower(left), tower(right)})[0];
  FunctionalBody network({left, right}, {head(joined)});
  train_and_compare(testing::read_golden("training", "twin"), network, "binary_crossentropy");
}

TEST(TrainingGolden, OfAModelWithFrozenLayersAndPenalties) {
  SequentialBody network(
      {InputLayer({.shape = {6}}),
       Dense({.units = 7,
              .activation = "relu",
              .kernel_regularizer = L2(0.02),
              .name = "frozen_dense",
              .trainable = false}),
       BatchNormalization({.name = "frozen_norm", .trainable = false}),
       Dense({.units = 5, .activation = "elu", .kernel_regularizer = L2(0.02), .name = "hidden"}),
       BatchNormalization({.name = "norm"}),
       Dense({.units = 3, .bias_regularizer = L1(0.01), .name = "head"})});
  train_and_compare(testing::read_golden("training", "frozen"), network,
                    CategoricalCrossentropy({.from_logits = true}));
}

}  // namespace
}  // namespace plimsoll
