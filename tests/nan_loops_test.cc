// Ways to NaN in loops by hand: the operation is named with its line.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <limits>

#include "plimsoll/plimsoll.h"

namespace plimsoll {
namespace {

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

// A tensor, and the line that made it.
struct Marked {
  Tensor tensor;
  unsigned line = 0;
};
Marked mark(const Tensor& tensor, Place where = Place::here()) {
  return {tensor, where.line};
}

struct LoopCase {
  std::string name;
  std::vector<float> weights, data;
  // What the loss is a sum of, from the weights and the data.
  std::function<Marked(const Tensor& w, const Tensor& x)> compute;
  std::string op, gradient_of = {};
};
void PrintTo(const LoopCase& loop, std::ostream* to) {
  *to << loop.name;
}

class NanInALoop : public ::testing::TestWithParam<LoopCase> {};

TEST_P(NanInALoop, IsNamedWithItsLine) {
  const LoopCase& loop = GetParam();
  Variable weights("w", {DType::float32, {2}});
  weights.set(loop.weights);
  unsigned line = 0;
  try {
    const GradientTape tape;
    const Marked found = loop.compute(weights.value(), constant(loop.data, {2}));
    const Tensor loss = sum(found.tensor);
    line = found.line;
    const Variables all = {weights};
    SGD().apply_gradients(tape.gradient(loss, all), all);
    weights.value().to_vector();
    FAIL() << "the step was taken";
  } catch (const NotFiniteStep& error) {
    EXPECT_EQ(error.operation(), loop.op);
    EXPECT_EQ(error.first().gradient_of, loop.gradient_of);
    EXPECT_EQ(error.line().line, line);
    EXPECT_TRUE(error.first().where.is_in_program());
    EXPECT_THAT(error.what(), ::testing::HasSubstr(fmt::format("nan_loops_test.cc:{}", line)));
  }
  EXPECT_EQ(weights.value().to_vector().size(), 2u);
}

// Each is on one line, which is the one that is named.
// clang-format off
std::vector<LoopCase> loop_cases() {
  return {
      {"LogOfAWeight", {0, 1}, {1, 1}, [](const Tensor& w, const Tensor&) { return mark(log(w)); }, "log"},
      {"Division", {1, 1}, {1, 0}, [](const Tensor& w, const Tensor& x) { return mark(w / x); }, "divide"},
      {"Exp", {100, 1}, {1, 1}, [](const Tensor& w, const Tensor& x) { return mark(exp(w * x)); }, "exp"},
      {"NegativePower", {-1, 1}, {1, 1}, [](const Tensor& w, const Tensor&) { return mark(power(w, 0.3)); }, "power"},
      {"RootAtZero", {0, 1}, {1, 1}, [](const Tensor& w, const Tensor&) { return mark(sqrt(w)); }, "divide", "sqrt"},
      {"Overflow", {1e20f, 1}, {1, 1}, [](const Tensor& w, const Tensor&) { return mark(w * w * w); }, "multiply"},
      {"MaskWithoutAnything", {1, 1}, {0, 0}, [](const Tensor& w, const Tensor& x) { return mark(sum(w * x) / sum(x)); }, "divide"},
      {"SoftmaxOfMasks", {1, 1}, {0, 0}, [](const Tensor& w, const Tensor& x) { return mark(softmax(select(greater(x, 0), w, -std::numeric_limits<float>::infinity())) * w); }, "softmax"},
      {"BadWeight", {kNan, 1}, {1, 1}, [](const Tensor& w, const Tensor&) { return mark(w * w); }, "weight"},
      {"BadData", {1, 1}, {1, kNan}, [](const Tensor& w, const Tensor& x) { return mark(w * x); }, "input"},
  };
}
// clang-format on

INSTANTIATE_TEST_SUITE_P(Loops, NanInALoop, ::testing::ValuesIn(loop_cases()),
                         [](const auto& each) { return each.param.name; });

TEST(NanInAStep, NamesTheLineThatCallsALayer) {
  const Layer wide = Dense({.units = 2, .activation = "exponential", .name = "wide"});
  const Tensor x = constant(std::vector<float>{500, 500, 1, 1}, {2, 2});
  wide(x);
  Variable(wide->own_weights()[0]).set(std::vector<float>{1, 1, 1, 1});
  const Adam optimizer;
  unsigned line = 0;
  try {
    const GradientTape tape;
    const Tensor y = wide(x);
    line = Place::here().line - 1;
    const Variables weights = wide->trainable_variables();
    optimizer.apply_gradients(tape.gradient(mean(y), weights), weights);
    weights[0].value().to_vector();
    FAIL() << "the step was taken";
  } catch (const NotFiniteStep& error) {
    EXPECT_EQ(error.operation(), "exp");
    EXPECT_EQ(error.layer(), "wide");
    EXPECT_EQ(error.line().line, line);
  }
}

}  // namespace
}  // namespace plimsoll
