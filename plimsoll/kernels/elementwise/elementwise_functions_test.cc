// Every float function against float64, over all floats in steps.
#include "plimsoll/kernels/elementwise/elementwise_functions.h"

#include <gtest/gtest.h>
#include <hwy/targets.h>

#include <bit>
#include <cmath>
#include <limits>
#include <vector>

namespace plimsoll::kernels {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();

std::vector<float> run_unary(Function function, const std::vector<float>& x) {
  std::vector<float> y(x.size());
  tile_function(function)(static_cast<int64_t>(x.size()),
                          {.operands = {{x.data()}}, .target = y.data()});
  return y;
}

// Each 9973rd float, NaNs left out, and the borders.
std::vector<float> all_floats() {
  std::vector<float> floats = {0.0f, -0.0f, kInfinity, -kInfinity, 1.0f, -1.0f};
  for (uint64_t bits = 0; bits < (uint64_t{1} << 32); bits += 9973) {
    const float x = std::bit_cast<float>(static_cast<uint32_t>(bits));
    if (!std::isnan(x)) floats.push_back(x);
  }
  return floats;
}

// The distance in units of the last place of the float nearest to `expected`; 0 where both are the
// same special value.
double ulps(float found, double expected) {
  const float nearest = static_cast<float>(expected);
  if (std::isnan(nearest)) return std::isnan(found) ? 0 : 1e9;
  if (std::isinf(nearest) || std::isinf(found)) return found == nearest ? 0 : 1e9;
  const float magnitude = std::abs(nearest);
  const double unit =
      static_cast<double>(std::nextafter(magnitude, kInfinity)) - static_cast<double>(magnitude);
  return std::abs(static_cast<double>(found) - expected) / unit;
}

struct Accuracy {
  Function function;
  double (*exact)(double);
  double most_ulps;
};

double sigmoid(double x) {
  return x < 0 ? std::exp(x) / (1 + std::exp(x)) : 1 / (1 + std::exp(-x));
}
double softplus(double x) {
  return (x < 0 ? 0 : x) + std::log1p(std::exp(-std::abs(x)));
}

const Accuracy kAccuracies[] = {
    {Function::exp, std::exp, 1.5},    {Function::expm1, std::expm1, 2},
    {Function::log, std::log, 1.5},    {Function::log1p, std::log1p, 3},
    {Function::sin, std::sin, 3},      {Function::cos, std::cos, 3},
    {Function::tanh, std::tanh, 3.5},  {Function::sigmoid, sigmoid, 3},
    {Function::softplus, softplus, 3}, {Function::erf, std::erf, 1.5},
    {Function::sqrt, std::sqrt, 0.51}, {Function::floor, std::floor, 0},
    {Function::ceil, std::ceil, 0},    {Function::round, std::nearbyint, 0},
};

// Calls body with each of this program's targets that the processor has.
template <class Body>
void for_each_target(Body&& body) {
  for (const int64_t target : hwy::SupportedAndGeneratedTargets()) {
    SCOPED_TRACE(hwy::TargetName(target));
    hwy::SetSupportedTargetsForTest(target);
    hwy::GetChosenTarget().Update(hwy::SupportedTargets());
    body();
  }
  hwy::SetSupportedTargetsForTest(0);
  hwy::GetChosenTarget().Update(hwy::SupportedTargets());
}

void check_accuracies(const std::vector<float>& x) {
  for (const Accuracy& row : kAccuracies) {
    const std::vector<float> y = run_unary(row.function, x);
    double worst = 0;
    float where = 0, found = 0;
    for (size_t i = 0; i < x.size(); ++i) {
      const double error = ulps(y[i], row.exact(static_cast<double>(x[i])));
      if (error > worst) worst = error, where = x[i], found = y[i];
    }
    EXPECT_LE(worst, row.most_ulps) << name_of(row.function) << "(" << where << ") = " << found;
  }
}

TEST(ElementwiseFunctions, AreExactToAFewUnitsInTheLastPlaceOverAllFloats) {
  const std::vector<float> x = all_floats();
  for_each_target([&] { check_accuracies(x); });
}

void check_special_values() {
  for (const Accuracy& row : kAccuracies) {
    const std::vector<float> y = run_unary(row.function, {kNaN, 0.0f, -0.0f});
    EXPECT_TRUE(std::isnan(y[0])) << name_of(row.function);
    EXPECT_EQ(std::signbit(y[1]), std::signbit(row.exact(0.0))) << name_of(row.function);
    EXPECT_EQ(std::signbit(y[2]), std::signbit(row.exact(-0.0))) << name_of(row.function);
  }
  EXPECT_TRUE(std::isnan(run_unary(Function::relu, {kNaN})[0]));
  EXPECT_TRUE(std::isnan(run_unary(Function::sign, {kNaN})[0]));
}

TEST(ElementwiseFunctions, KeepNaNAndTheSignOfZero) {
  for_each_target(check_special_values);
}

TEST(ElementwiseFunctions, TakeNaNAsTheMaximumAndTheMinimum) {
  const float a[] = {kNaN, 1, 2, 1}, b[] = {1, kNaN, 1, 2};
  for (Function function : {Function::maximum, Function::minimum}) {
    float y[4];
    tile_function(function)(4, {.operands = {{a}, {b}}, .target = y});
    EXPECT_TRUE(std::isnan(y[0]));
    EXPECT_TRUE(std::isnan(y[1]));
    EXPECT_EQ(y[2], function == Function::maximum ? 2 : 1);
    EXPECT_EQ(y[3], function == Function::maximum ? 2 : 1);
  }
}

TEST(ElementwiseFunctions, TouchNothingBeyondTheCount) {
  for (int64_t count = 0; count < 40; ++count) {
    std::vector<float> x(static_cast<size_t>(count), 2.0f), y(static_cast<size_t>(count) + 1, 7.0f);
    tile_function(Function::square)(count, {.operands = {{x.data()}}, .target = y.data()});
    for (int64_t i = 0; i < count; ++i) EXPECT_EQ(y[static_cast<size_t>(i)], 4);
    EXPECT_EQ(y.back(), 7);
  }
}

}  // namespace
}  // namespace plimsoll::kernels
