#include "tests/support/first_step.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace plimsoll::testing {
namespace {

// In two passes, which a sum of squares is not.
double deviation_of(const Numbers& numbers, double mean) {
  double sum = 0;
  for (const double number : numbers) sum += (number - mean) * (number - mean);
  return std::sqrt(sum / static_cast<double>(numbers.size()));
}

int64_t dead_units(const Numbers& numbers, size_t units) {
  std::vector<bool> is_alive(units);
  for (size_t i = 0; i < numbers.size(); ++i)
    if (numbers[i] != 0) is_alive[i % units] = true;
  return std::ranges::count(is_alive, false);
}

}  // namespace

StepStatistics first_step(Model& model, const Tensor& x, const Tensor& y, FitOptions options) {
  StepStatistics found;
  options.batch_size = x.shape()[0];
  options.shuffle = false;
  options.verbose = 0;
  options.callbacks.emplace_back(
      LambdaCallback({.on_statistics = [&](TrainingState&, const StepStatistics& statistics) {
        if (statistics.step == 0) found = statistics;
      }}));
  model.fit(x, y, options);
  return found;
}

LayerStatistics layer_in(const StepStatistics& step, const std::string& name) {
  const auto found = std::ranges::find(step.layers, name, &LayerStatistics::layer);
  if (found != step.layers.end()) return *found;
  ADD_FAILURE() << "there is no layer " << name;
  return {};
}

VariableStatistics variable_in(const StepStatistics& step, const std::string& layer,
                               const std::string& name) {
  for (const VariableStatistics& variable : step.variables)
    if (variable.layer == layer && variable.name == name) return variable;
  ADD_FAILURE() << "there is no variable " << layer << "/" << name;
  return {};
}

void set_weights(const Model& model, const std::vector<std::vector<float>>& values) {
  Variables weights = model.weights();
  ASSERT_EQ(weights.size(), values.size());
  for (size_t i = 0; i < values.size(); ++i) weights[i].set(values[i]);
}

Tensor filled(const Shape& shape, float value) {
  return constant(std::vector<float>(static_cast<size_t>(shape.elements()), value), shape);
}

double norm_of(const Numbers& numbers) {
  return std::sqrt(std::inner_product(numbers.begin(), numbers.end(), numbers.begin(), 0.0));
}

void expect_close(double found, double expected) {
  EXPECT_NEAR(found, expected, 2e-5 * std::max(1.0, std::abs(expected)));
}

void expect_numbers(const LayerStatistics& found, const Numbers& expected, size_t units) {
  const auto count = static_cast<double>(expected.size());
  const double mean = std::accumulate(expected.begin(), expected.end(), 0.0) / count;
  expect_close(found.mean, mean);
  expect_close(found.deviation, deviation_of(expected, mean));
  expect_close(found.least, std::ranges::min(expected));
  expect_close(found.largest, std::ranges::max(expected));
  EXPECT_DOUBLE_EQ(found.zero_share,
                   static_cast<double>(std::ranges::count(expected, 0.0)) / count);
  EXPECT_DOUBLE_EQ(found.dead_unit_share,
                   static_cast<double>(dead_units(expected, units)) / static_cast<double>(units));
  EXPECT_EQ(found.not_finite, 0);
}

}  // namespace plimsoll::testing
