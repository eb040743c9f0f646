#include "plimsoll/ops/elementwise/activations.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>

#include "plimsoll/base/error.h"
#include "plimsoll/graph/gradient.h"
#include "plimsoll/ops/elementwise/elementwise.h"
#include "tests/support/reference_interpreter.h"

namespace plimsoll {
namespace {

using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

double sigmoid_of(double x) {
  return 1 / (1 + std::exp(-x));
}
double relu6_of(double x) {
  return std::min(std::max(x, 0.0), 6.0);
}

struct ActivationCase {
  std::string_view name;
  double (*expected)(double);
};

// As keras.activations defines them; softmax and log_softmax are checked with their op.
const ActivationCase kCases[] = {
    {"", [](double x) { return x; }},
    {"linear", [](double x) { return x; }},
    {"relu", [](double x) { return std::max(x, 0.0); }},
    {"relu6", relu6_of},
    {"leaky_relu", [](double x) { return x > 0 ? x : 0.2 * x; }},
    {"elu", [](double x) { return x > 0 ? x : std::expm1(x); }},
    {"selu",
     [](double x) {
       return 1.0507009873554805 * (x > 0 ? x : 1.6732632423543772 * std::expm1(x));
     }},
    {"gelu", [](double x) { return 0.5 * x * (1 + std::erf(x / std::numbers::sqrt2)); }},
    {"silu", [](double x) { return x * sigmoid_of(x); }},
    {"swish", [](double x) { return x * sigmoid_of(x); }},
    {"softsign", [](double x) { return x / (1 + std::abs(x)); }},
    {"hard_sigmoid", [](double x) { return relu6_of(x + 3) / 6; }},
    {"hard_silu", [](double x) { return x * relu6_of(x + 3) / 6; }},
    {"hard_swish", [](double x) { return x * relu6_of(x + 3) / 6; }},
    {"mish", [](double x) { return x * std::tanh(std::log1p(std::exp(x))); }},
    {"tanh", [](double x) { return std::tanh(x); }},
    {"sigmoid", sigmoid_of},
    {"softplus", [](double x) { return std::log1p(std::exp(x)); }},
    {"exponential", [](double x) { return std::exp(x); }},
    {"celu", [](double x) { return x > 0 ? x : std::expm1(x); }},
    {"hard_tanh", [](double x) { return std::clamp(x, -1.0, 1.0); }},
    {"hard_shrink", [](double x) { return std::abs(x) > 0.5 ? x : 0; }},
    {"soft_shrink", [](double x) { return x > 0.5 ? x - 0.5 : (x < -0.5 ? x + 0.5 : 0 * x); }},
    {"tanh_shrink", [](double x) { return x - std::tanh(x); }},
    {"log_sigmoid", [](double x) { return std::log(sigmoid_of(x)); }},
    {"squareplus", [](double x) { return (x + std::sqrt(x * x + 4)) / 2; }},
    {"sparse_plus", [](double x) { return x <= -1 ? 0 : (x < 1 ? (x + 1) * (x + 1) / 4 : x); }},
    {"sparse_sigmoid", [](double x) { return x <= -1 ? 0 : (x >= 1 ? 1 : (x + 1) / 2); }},
};

// Away from the kinks at -3, -1, -0.5, 0, 0.5, 1, 3 and 6.
Array sample() {
  Array x({DType::float32, {27}});
  for (int64_t i = 0; i < 27; ++i) x[i] = -6.3 + 0.5 * static_cast<double>(i);
  return x;
}

TEST(Activation, IsKerasFunctionWithItsDerivative) {
  for (const auto& [name, expected] : kCases) {
    SCOPED_TRACE(name);
    const Array in = sample();
    const Tensor x = placeholder(in.spec);
    testing::ReferenceInterpreter interpreter;
    interpreter.set(x, in);
    const Tensor y = activation(name)(x);
    const Array found = interpreter.evaluate(y);
    const Array slope = interpreter.evaluate(gradients(y, std::span(&x, 1))[0]);
    for (int64_t i = 0; i < 27; ++i) {
      constexpr double kStep = 1e-6;
      EXPECT_NEAR(found[i], expected(in[i]), 1e-6) << in[i];
      const double change = expected(in[i] + kStep) - expected(in[i] - kStep);
      EXPECT_NEAR(slope[i], change / (2 * kStep), 1e-6) << in[i];
    }
  }
}

TEST(Activation, EveryNameIsKnown) {
  const Tensor x = placeholder({DType::float32, {2, 3}});
  for (const std::string_view name : activation_names()) {
    if (name == "glu") continue;  // halves the last axis
    EXPECT_EQ(activation(name)(x).shape(), x.shape()) << name;
  }
  EXPECT_THAT([] { activation("rleu"); },
              ThrowsMessage<InvalidArgument>(
                  HasSubstr("'rleu' is not known (did you mean relu?; known: celu")));
}

// y(x) and dy/dx of a function of one row, in float64.
std::pair<std::vector<double>, std::vector<double>> evaluate_row(const ActivationFunction& function,
                                                                 const std::vector<double>& row) {
  Array in({DType::float32, {static_cast<int64_t>(row.size())}});
  in.data = row;
  const Tensor x = placeholder(in.spec);
  testing::ReferenceInterpreter interpreter;
  interpreter.set(x, in);
  const Tensor y = function(x);
  return {interpreter.evaluate(y).data,
          interpreter.evaluate(gradients(y, std::span(&x, 1))[0]).data};
}

TEST(Activation, ReluTakesSlopeMaximumAndThreshold) {
  const auto relu_of = [](const ReluOptions& options) {
    return [options](const Tensor& x) { return relu(x, options); };
  };
  const std::vector<double> row = {-4, -1, 0.5, 2, 5, 9};
  using Values = std::vector<double>;
  const auto values = [&](const ReluOptions& options) {
    return evaluate_row(relu_of(options), row).first;
  };
  EXPECT_EQ(values({}), (Values{0, 0, 0.5, 2, 5, 9}));
  EXPECT_EQ(values({.max_value = 6}), (Values{0, 0, 0.5, 2, 5, 6}));
  EXPECT_EQ(values({.max_value = 3}), (Values{0, 0, 0.5, 2, 3, 3}));
  EXPECT_EQ(values({.negative_slope = 0.5}), (Values{-2, -0.5, 0.5, 2, 5, 9}));
  EXPECT_EQ(values({.threshold = 1}), (Values{0, 0, 0, 2, 5, 9}));
  EXPECT_EQ(values({.negative_slope = 0.5, .max_value = 3, .threshold = 1}),
            (Values{-2.5, -1, -0.25, 2, 3, 3}));
  EXPECT_EQ(
      evaluate_row(relu_of({.negative_slope = 0.5, .max_value = 3, .threshold = 1}), row).second,
      (Values{0.5, 0.5, 0.5, 1, 0, 0}));
}

TEST(Activation, GluGatesOneHalfByTheOther) {
  const auto [y, slope] = evaluate_row(activation("glu"), {2, -3, 0, 1});
  ASSERT_EQ(y.size(), 2u);
  EXPECT_DOUBLE_EQ(y[0], 1);
  EXPECT_DOUBLE_EQ(y[1], -3 * sigmoid_of(1));
  EXPECT_THAT(
      [] {
        glu(placeholder({{}, {2, 3}}));
      },
      ThrowsMessage<InvalidArgument>(HasSubstr("even length")));
}

TEST(Activation, SparsemaxLeavesWhatIsAboveItsThreshold) {
  const auto [one, flat] = evaluate_row(activation("sparsemax"), {0.5, 3.0, -2.0});
  EXPECT_EQ(one, (std::vector<double>{0, 1, 0}));
  EXPECT_EQ(flat, (std::vector<double>{0, 0, 0}));
  // Two are left: the threshold is (0.5 + (0.5 + 0.4) - 1) / 2.
  const auto [two, slope] = evaluate_row(activation("sparsemax"), {0.4, 0.5, -2.0});
  EXPECT_NEAR(two[0], 0.2, 1e-6);
  EXPECT_NEAR(two[1], 0.3, 1e-6);
  EXPECT_NEAR(slope[0], 0, 1e-6);
  EXPECT_NEAR(slope[1], -1, 1e-6);
}

TEST(Activation, HasKerasDerivativeAtItsKinks) {
  const auto slope_at = [](const ActivationFunction& function, double at) {
    Array in({DType::float32, {1}});
    in[0] = at;
    const Tensor x = placeholder(in.spec);
    testing::ReferenceInterpreter interpreter;
    interpreter.set(x, in);
    return interpreter.evaluate(gradients(function(x), std::span(&x, 1))[0])[0];
  };
  EXPECT_EQ(slope_at(activation("relu"), 0), 0);
  EXPECT_EQ(slope_at(activation("relu6"), 0), 0);
  EXPECT_EQ(slope_at(activation("relu6"), 6), 0);
  EXPECT_EQ(slope_at(activation("elu"), 0), 1);
  EXPECT_NEAR(slope_at(activation("leaky_relu"), 0), 0.2, 1e-7);
}

TEST(Activation, KeepsNaN) {
  Array in({DType::float32, {1}});
  in[0] = std::numeric_limits<double>::quiet_NaN();
  for (const auto& [name, expected] : kCases) {
    const Tensor x = placeholder(in.spec);
    testing::ReferenceInterpreter interpreter;
    interpreter.set(x, in);
    EXPECT_TRUE(std::isnan(interpreter.evaluate(activation(name)(x))[0])) << name;
  }
}

}  // namespace
}  // namespace plimsoll
