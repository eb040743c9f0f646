// What a sampled step says of a perceptron whose numbers are computed here, in doubles and by plain
// loops.
#include "plimsoll/guards/statistics/statistics_watch.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "tests/support/first_step.h"

namespace plimsoll {
namespace {

using testing::expect_close;
using testing::expect_numbers;
using testing::filled;
using testing::first_step;
using ::testing::IsEmpty;
using testing::layer_in;
using testing::norm_of;
using testing::Numbers;
using testing::set_weights;
using ::testing::SizeIs;
using testing::variable_in;

Model compiled(Model model, const Optimizer& optimizer) {
  model.compile({.optimizer = optimizer, .loss = "mse"});
  return model;
}

constexpr size_t kRecords = 3, kInputs = 2, kUnits = 3;
constexpr double kRate = 0.125;

struct Perceptron {
  std::vector<float> x = {1, 2, -1, 0.5f, 0.5f, -3}, y = {1, -2, 0.5f};
  std::vector<float> kernel = {0.5f, -1, 2, 1, 0.25f, 3}, bias = {0.1f, -0.2f, -100};
  std::vector<float> head = {1.5f, -0.5f, 2}, head_bias = {0.3f};

  // Of the first `records`.
  Numbers hidden(size_t records = kRecords) const {
    Numbers found;
    for (size_t n = 0; n < records; ++n)
      for (size_t j = 0; j < kUnits; ++j) {
        double sum = bias[j];
        for (size_t i = 0; i < kInputs; ++i)
          sum += double{x[n * kInputs + i]} * kernel[i * kUnits + j];
        found.push_back(std::max(0.0, sum));
      }
    return found;
  }
  Numbers outputs() const {
    Numbers found;
    for (size_t n = 0; n < kRecords; ++n) {
      double sum = head_bias[0];
      for (size_t j = 0; j < kUnits; ++j) sum += hidden()[n * kUnits + j] * head[j];
      found.push_back(sum);
    }
    return found;
  }
  double output_gradient(size_t record) const {
    return 2 * (outputs()[record] - double{y[record]}) / kRecords;
  }
  Numbers kernel_gradient() const {
    Numbers found(kInputs * kUnits);
    for (size_t n = 0; n < kRecords; ++n)
      for (size_t j = 0; j < kUnits; ++j)
        for (size_t i = 0; i < kInputs && hidden()[n * kUnits + j] > 0; ++i)
          found[i * kUnits + j] += x[n * kInputs + i] * output_gradient(n) * head[j];
    return found;
  }
  Numbers head_gradient() const {
    Numbers found(kUnits);
    for (size_t n = 0; n < kRecords; ++n)
      for (size_t j = 0; j < kUnits; ++j) found[j] += hidden()[n * kUnits + j] * output_gradient(n);
    return found;
  }

  Model model(const Optimizer& optimizer) const {
    const Tensor in = Input({.shape = {kInputs}});
    const Tensor h = Dense({.units = kUnits, .activation = "relu", .name = "hidden"})(in);
    Model model({in}, {Dense({.units = 1, .name = "head"})(h)});
    set_weights(model, {kernel, bias, head, head_bias});
    return compiled(model, optimizer);
  }
  StepStatistics step(const Optimizer& optimizer, const FitOptions& options = {}) const {
    Model trained = model(optimizer);
    return first_step(trained, constant(x, {kRecords, kInputs}), constant(y, {kRecords, 1}),
                      options);
  }
};

TEST(StatisticsWatch, LayersOfAPerceptron) {
  const Perceptron it;
  const StepStatistics step = it.step(SGD({.learning_rate = kRate}));
  ASSERT_THAT(step.layers, SizeIs(2));
  const LayerStatistics &hidden = step.layers[0], &head = step.layers[1];
  EXPECT_EQ(hidden.layer, "hidden");
  EXPECT_EQ(hidden.activation, "relu");
  expect_numbers(hidden, it.hidden(), kUnits);
  EXPECT_DOUBLE_EQ(hidden.zero_share, 6.0 / 9);
  EXPECT_DOUBLE_EQ(hidden.dead_unit_share, 1.0 / 3);
  EXPECT_EQ(hidden.saturated_share, 0);
  EXPECT_EQ(head.layer, "head");
  EXPECT_EQ(head.activation, "");
  expect_numbers(head, it.outputs(), 1);
}

TEST(StatisticsWatch, NormsOfWeightsGradientsAndUpdates) {
  const Perceptron it;
  for (const double scale : {1.0, 1024.0}) {
    const StepStatistics step = it.step(SGD({.learning_rate = kRate, .loss_scale_factor = scale}));
    ASSERT_THAT(step.variables, SizeIs(4));
    const Numbers gradient = it.kernel_gradient();
    Numbers after;
    for (size_t i = 0; i < gradient.size(); ++i)
      after.push_back(it.kernel[i] - kRate * gradient[i]);
    const VariableStatistics& kernel = variable_in(step, "hidden", "kernel");
    EXPECT_EQ(kernel.elements, 6);
    EXPECT_TRUE(kernel.is_trained);
    expect_close(kernel.norm, norm_of(after));
    expect_close(kernel.gradient_norm, norm_of(gradient));
    expect_close(kernel.update_norm, kRate * norm_of(gradient));
    EXPECT_DOUBLE_EQ(kernel.gradient_zero_share, 2.0 / 6) << "those of the dead unit";
    EXPECT_EQ(kernel.not_finite, 0);
    expect_close(kernel.weights.least, std::ranges::min(after));
    expect_close(kernel.weights.largest, std::ranges::max(after));
    expect_close(kernel.gradients.least, std::ranges::min(gradient));
    expect_close(kernel.gradients.largest, std::ranges::max(gradient));
    for (const Histogram& histogram : {kernel.weights, kernel.gradients}) {
      EXPECT_THAT(histogram.counts, SizeIs(30));
      EXPECT_EQ(std::accumulate(histogram.counts.begin(), histogram.counts.end(), int64_t{0}), 6);
    }
    expect_close(variable_in(step, "head", "kernel").gradient_norm, norm_of(it.head_gradient()));
    EXPECT_DOUBLE_EQ(variable_in(step, "hidden", "bias").gradient_zero_share, 1.0 / 3);
  }
}

TEST(StatisticsWatch, GradientsAreThoseBeforeTheyAreClipped) {
  const Perceptron it;
  const StepStatistics step = it.step(SGD({.learning_rate = kRate, .clipnorm = 0.01}));
  const VariableStatistics& head = variable_in(step, "head", "kernel");
  expect_close(head.gradient_norm, norm_of(it.head_gradient()));
  EXPECT_NEAR(head.update_norm, kRate * 0.01, 1e-6);
}

TEST(StatisticsWatch, OfABatchInPartsGradientsAreTheBatchsAndLayersTheFirstParts) {
  const Perceptron it;
  FitOptions options;
  options.saving.micro_batch = 1;
  const StepStatistics step = it.step(SGD({.learning_rate = kRate}), options);
  expect_numbers(layer_in(step, "hidden"), it.hidden(1), kUnits);
  const VariableStatistics& kernel = variable_in(step, "hidden", "kernel");
  expect_close(kernel.gradient_norm, norm_of(it.kernel_gradient()));
  expect_close(kernel.update_norm, kRate * norm_of(it.kernel_gradient()));
}

TEST(StatisticsWatch, OfFrozenWeightsOnlyTheNormIsKnown) {
  const Tensor in = Input({.shape = {1}});
  const Tensor h = Dense({.units = 2, .name = "frozen", .trainable = false})(in);
  Model model = compiled(Model({in}, {Dense({.units = 1})(h)}), SGD());
  Variables frozen = model.non_trainable_variables();
  ASSERT_THAT(frozen, SizeIs(2));
  frozen[0].set(std::vector<float>{3, -4});
  const StepStatistics step = first_step(model, filled({2, 1}, 1), filled({2, 1}, 1));
  const VariableStatistics& kernel = variable_in(step, "frozen", "kernel");
  EXPECT_FALSE(kernel.is_trained);
  EXPECT_EQ(kernel.norm, 5);
  EXPECT_EQ(kernel.update_norm, 0);
  EXPECT_EQ(kernel.gradient_norm, 0);
  EXPECT_THAT(kernel.weights.counts, IsEmpty());
}

// An optimizer that overwrites weights with their means writes those without a gradient too.
TEST(StatisticsWatch, AWeightWithoutAGradientHasNotThatOfAnother) {
  for (const Optimizer& optimizer :
       {SGD({.learning_rate = kRate}),
        SGD({.learning_rate = kRate, .use_ema = true, .ema_overwrite_frequency = 2})}) {
    const Tensor in = Input({.shape = {2}});
    const Tensor h = Dense({.units = 3, .use_bias = false, .name = "a"})(in);
    Model model({in}, {Dense({.units = 1, .use_bias = false, .name = "b"})(stop_gradient(h))});
    set_weights(model, {{1, 0, 2, 0, 1, 1}, {1, -1, 2}});
    model.compile({.optimizer = optimizer, .loss = "mse"});
    const std::vector<float> x = {1, 2}, y = {1};
    const StepStatistics step = first_step(model, constant(x, {1, 2}), constant(y, {1, 1}));
    const VariableStatistics &a = variable_in(step, "a", "kernel"),
                             &b = variable_in(step, "b", "kernel");
    EXPECT_EQ(a.gradient_norm, 0);
    EXPECT_EQ(a.gradient_zero_share, 1);
    EXPECT_EQ(a.update_norm, 0);
    // h is (1, 2, 4), the output 7, and the gradient 2 * (7 - 1) * h.
    expect_close(b.gradient_norm, 12 * std::sqrt(21.0));
    expect_close(b.update_norm, kRate * 12 * std::sqrt(21.0));
  }
}

// Every fourth unit gets no gradient. Of 16,384 weights 4,096 are looked at.
TEST(StatisticsWatch, TheNormOfALargeUpdateIsEstimatedFromAllUnits) {
  const Tensor in = Input({.shape = {256}});
  Model model = compiled(
      Model({in},
            {Dense({.units = 64, .use_bias = false, .kernel_initializer = "zeros", .name = "wide"})(
                in)}),
      SGD({.learning_rate = kRate}));
  std::vector<float> y(64, 1);
  for (size_t j = 0; j < y.size(); j += 4) y[j] = 0;
  const StepStatistics step = first_step(model, filled({1, 256}, 1), constant(y, {1, 64}));
  const VariableStatistics& kernel = variable_in(step, "wide", "kernel");
  const double expected = 2.0 / 64 * std::sqrt(256.0 * 48);
  expect_close(kernel.gradient_norm, expected);
  EXPECT_DOUBLE_EQ(kernel.gradient_zero_share, 0.25);
  EXPECT_NEAR(kernel.update_norm / (kRate * expected), 1, 0.01);
}

}  // namespace
}  // namespace plimsoll
