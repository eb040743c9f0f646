// What a sampled step says of layers: of their activations, of convolutions, of numbers that are
// not finite.
#include "plimsoll/guards/statistics/layer_outputs.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "plimsoll/base/report_finding.h"
#include "tests/support/first_step.h"

namespace plimsoll {
namespace {

using testing::expect_close;
using testing::expect_numbers;
using testing::filled;
using testing::first_step;
using testing::layer_in;
using testing::Numbers;
using testing::set_weights;
using testing::variable_in;

// The first layer computes f(x) of one number per record; its output is what the loss is about.
LayerStatistics layer_of(const ActivationOption& activation, const std::vector<float>& x) {
  const Tensor in = Input({.shape = {1}});
  const Tensor h = Dense({.units = 1, .activation = activation, .name = "hidden"})(in);
  Model model({in}, {Dense({.units = 1})(h)});
  set_weights(model, {{1}, {0}, {0.5f}, {0}});
  model.compile({.optimizer = SGD({.learning_rate = 1e-3}), .loss = "mae"});
  const auto count = static_cast<int64_t>(x.size());
  return layer_in(first_step(model, constant(x, {count, 1}), filled({count, 1}, 0)), "hidden");
}

TEST(LayerOutputs, ShareOfSaturatedNumbers) {
  for (const char* activation : {"sigmoid", "hard_sigmoid", "tanh", "softsign"}) {
    SCOPED_TRACE(activation);
    const LayerStatistics found = layer_of(activation, {-200, 0.5f, 200, 0.25f, 300});
    EXPECT_EQ(found.activation, activation);
    EXPECT_DOUBLE_EQ(found.saturated_share, 3.0 / 5);
  }
}

TEST(LayerOutputs, ASigmoidThatLearnsIsNotSaturated) {
  const LayerStatistics found = layer_of("sigmoid", {-1, 0, 2});
  EXPECT_EQ(found.saturated_share, 0);
  expect_numbers(found, {1 / (1 + std::exp(1.0)), 0.5, 1 / (1 + std::exp(-2.0))}, 1);
}

TEST(LayerOutputs, AnActivationThatIsMadeOfARelu) {
  for (const char* activation : {"relu6", "leaky_relu", "silu", "elu"})
    EXPECT_EQ(layer_of(activation, {-1, 2}).activation, activation);
  EXPECT_EQ(layer_of("relu", {-1, 2}).activation, "relu");
  const Tensor in = Input({.shape = {2}});
  Model model({in}, {Dense({.units = 1})(PReLU({.name = "own"})(in))});
  model.compile({.optimizer = SGD(), .loss = "mse"});
  EXPECT_EQ(layer_in(first_step(model, filled({2, 2}, 1), filled({2, 1}, 1)), "own").activation,
            "prelu");
}

// Rows lie along the axis of the softmax: here there are four of three numbers each.
TEST(LayerOutputs, ASaturatedSoftmaxIsCountedByRows) {
  const Tensor in = Input({.shape = {3, 2}});
  const Tensor weights = Softmax({.axis = {1}, .name = "weights"})(in);
  Model model({in}, {Dense({.units = 1})(Flatten()(weights))});
  model.compile({.optimizer = SGD(), .loss = "mse"});
  const std::vector<float> x = {50, 0, 0, 1, 0, 2, 1, 1, 1, 0, 1, 1};
  const StepStatistics step = first_step(model, constant(x, {2, 3, 2}), filled({2, 1}, 0));
  EXPECT_DOUBLE_EQ(layer_in(step, "weights").saturated_share, 1.0 / 4);
}

TEST(LayerOutputs, LogitsOfAnOutputAreNotThoseOfItsActivation) {
  const Tensor in = Input({.shape = {2, 2, 1}});
  const Tensor out = Conv2DTranspose({.filters = 1,
                                      .kernel_size = 2,
                                      .strides = 2,
                                      .activation = "sigmoid",
                                      .kernel_initializer = "ones",
                                      .name = "out"})(in);
  Model model({in}, {out});
  model.compile({.optimizer = SGD(), .loss = "binary_crossentropy"});
  const std::vector<float> x = {5, 6, 7, 8};
  const StepStatistics step = first_step(model, constant(x, {1, 2, 2, 1}), filled({1, 4, 4, 1}, 1));
  const LayerStatistics found = layer_in(step, "out");
  EXPECT_EQ(found.activation, "");
  EXPECT_EQ(found.saturated_share, 0);
  EXPECT_EQ(found.mean, 6.5);
}

TEST(LayerOutputs, NumbersThatAreNotFiniteAreCountedInAStepThatIsSkipped) {
  const FindingHandler before = set_finding_handler([](const Finding&) {});
  const Tensor in = Input({.shape = {1}});
  const Tensor h = Dense({.units = 1, .activation = "exponential", .name = "hidden"})(in);
  Model model({in}, {Dense({.units = 1, .name = "head"})(h)});
  set_weights(model, {{1}, {0}, {0.5f}, {0}});
  model.compile({.optimizer = SGD({.learning_rate = 0.1}), .loss = "mse"});
  FitOptions options;
  options.on_bad_step = OnBadStep::skip;
  const std::vector<float> x = {1, 100, 2};
  const StepStatistics step = first_step(model, constant(x, {3, 1}), filled({3, 1}, 0), options);
  set_finding_handler(before);
  const LayerStatistics hidden = layer_in(step, "hidden");
  EXPECT_EQ(hidden.not_finite, 1);
  expect_close(hidden.mean, (std::exp(1.0) + std::exp(2.0)) / 2);
  expect_close(hidden.largest, std::exp(2.0));
  const VariableStatistics kernel = variable_in(step, "head", "kernel");
  EXPECT_EQ(kernel.not_finite, 1);
  EXPECT_EQ(kernel.gradient_norm, 0) << "of the finite numbers of the gradient";
  EXPECT_EQ(kernel.update_norm, 0);
  EXPECT_EQ(kernel.norm, 0.5);
}

constexpr size_t kChannels = 16;

// Images (batch, size, size, kChannels), a kernel of 3 by 3 and as many filters, nothing padded.
Numbers convolved(const Numbers& x, size_t batch, size_t size, const std::vector<float>& kernel,
                  const std::vector<float>& bias) {
  Numbers found;
  const auto sum_at = [&](size_t n, size_t row, size_t column, size_t filter) {
    double sum = bias[filter];
    for (size_t dy = 0; dy < 3; ++dy)
      for (size_t dx = 0; dx < 3; ++dx)
        for (size_t c = 0; c < kChannels; ++c)
          sum += x[((n * size + row + dy) * size + column + dx) * kChannels + c] *
                 kernel[((dy * 3 + dx) * kChannels + c) * kChannels + filter];
    return sum;
  };
  for (size_t n = 0; n < batch; ++n)
    for (size_t row = 0; row + 2 < size; ++row)
      for (size_t column = 0; column + 2 < size; ++column)
        for (size_t filter = 0; filter < kChannels; ++filter)
          found.push_back(sum_at(n, row, column, filter));
  return found;
}

std::vector<float> waves(size_t count, double step, double height) {
  std::vector<float> found;
  for (size_t i = 0; i < count; ++i)
    found.push_back(static_cast<float>(height * std::sin(step * static_cast<double>(i) + 0.3)));
  return found;
}

// With as many channels, activations lie in blocks of channels where the processor prefers that.
TEST(LayerOutputs, OfConvolutions) {
  const Tensor in = Input({.shape = {6, 6, kChannels}});
  const Tensor h =
      Conv2D({.filters = kChannels, .kernel_size = 3, .activation = "relu", .name = "first"})(in);
  const Tensor maps = Conv2D({.filters = kChannels, .kernel_size = 3, .name = "second"})(h);
  Model model({in}, {Dense({.units = 1})(GlobalAveragePooling2D()(maps))});
  const std::vector<float> x = waves(2 * 36 * kChannels, 12.9898, 1);
  const std::vector<float> kernel = waves(9 * kChannels * kChannels, 78.233, 0.3);
  std::vector<float> bias = waves(kChannels, 2.1, 0.5);
  bias[5] = -1000;
  set_weights(model, {kernel, bias, kernel, bias, waves(kChannels, 1, 1), {0}});
  model.compile({.optimizer = SGD({.learning_rate = 0.1}), .loss = "mae"});
  const StepStatistics step =
      first_step(model, constant(x, {2, 6, 6, kChannels}), filled({2, 1}, 0));

  Numbers expected = convolved({x.begin(), x.end()}, 2, 6, kernel, bias);
  for (double& number : expected) {
    ASSERT_GT(std::abs(number), 1e-3) << "its sign must not depend on the order of a sum";
    number = std::max(0.0, number);
  }
  const LayerStatistics first = layer_in(step, "first"), second = layer_in(step, "second");
  EXPECT_EQ(first.activation, "relu");
  expect_numbers(first, expected, kChannels);
  EXPECT_DOUBLE_EQ(first.dead_unit_share, 2.0 / 16);
  EXPECT_EQ(second.activation, "");
  expect_numbers(second, convolved(expected, 2, 4, kernel, bias), kChannels);
  const VariableStatistics trained = variable_in(step, "first", "kernel");
  EXPECT_GT(trained.gradient_norm, 0);
  EXPECT_NEAR(trained.update_norm, 0.1 * trained.gradient_norm, 1e-3 * trained.update_norm);
}

// Its result is computed as an image and seen as rows.
TEST(LayerOutputs, LayersWhoseResultIsAViewOfWhatTheyCompute) {
  const Tensor in = Input({.shape = {3, 1}});
  const Tensor h =
      Conv1D({.filters = 2, .kernel_size = 1, .activation = "relu", .name = "conv"})(in);
  const Tensor rows = Dense({.units = 2, .name = "rows"})(h);
  Model model({in}, {Dense({.units = 1, .name = "head"})(GlobalAveragePooling1D()(rows))});
  set_weights(model, {{1, -1}, {0, -100}, {1, 2, 1, 1}, {0, 1}, {1, 1}, {0}});
  model.compile({.optimizer = SGD({.learning_rate = 1e-3}), .loss = "mae"});
  const std::vector<float> x = {1, -2, 3, 4, -5, 6};
  const StepStatistics step = first_step(model, constant(x, {2, 3, 1}), filled({2, 1}, 0));
  const LayerStatistics conv = layer_in(step, "conv");
  EXPECT_EQ(conv.activation, "relu");
  expect_numbers(conv, {1, 0, 0, 0, 3, 0, 4, 0, 0, 0, 6, 0}, 2);
  EXPECT_DOUBLE_EQ(conv.dead_unit_share, 0.5);
  EXPECT_EQ(layer_in(step, "rows").activation, "");
  expect_numbers(layer_in(step, "rows"), {1, 3, 0, 1, 3, 7, 4, 9, 0, 1, 6, 13}, 2);
}

}  // namespace
}  // namespace plimsoll
