#include "plimsoll/nn/optimizers/optimizer.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <cstring>

#include "plimsoll/nn/clock.h"
#include "plimsoll/nn/optimizers/adam.h"
#include "plimsoll/nn/optimizers/optimizer_list.h"
#include "plimsoll/nn/optimizers/rmsprop.h"
#include "plimsoll/nn/optimizers/sgd.h"
#include "tests/support/golden.h"
#include "tests/support/messages.h"

namespace plimsoll {
namespace {

using testing::expect_golden;
using testing::GoldenCase;
using testing::message_of;

std::optional<double> optional_number(const GoldenCase& golden, const std::string& key) {
  return golden.has(key) ? std::optional(golden.number(key, 0)) : std::nullopt;
}

// The options of the golden, the rest ours: so our defaults are checked too.
template <class Options>
Options common(const GoldenCase& golden) {
  Options options;
  options.learning_rate = golden.number("learning_rate", options.learning_rate.number());
  options.clipnorm = optional_number(golden, "clipnorm");
  options.clipvalue = optional_number(golden, "clipvalue");
  options.global_clipnorm = optional_number(golden, "global_clipnorm");
  if (golden.has("weight_decay")) options.weight_decay = golden.number("weight_decay", 0);
  return options;
}

template <class Options>
Options adam_options(const GoldenCase& golden) {
  Options options = common<Options>(golden);
  options.beta_1 = golden.number("beta_1", options.beta_1);
  options.beta_2 = golden.number("beta_2", options.beta_2);
  options.epsilon = golden.number("epsilon", options.epsilon);
  options.amsgrad = golden.flag("amsgrad", false);
  return options;
}

Optimizer make(const GoldenCase& golden) {
  const std::string kind = golden.text("optimizer");
  if (kind == "SGD") {
    auto options = common<SGDOptions>(golden);
    options.momentum = golden.number("momentum", options.momentum);
    options.nesterov = golden.flag("nesterov", options.nesterov);
    options.name = "sgd";
    return SGD(options);
  }
  if (kind == "RMSprop") {
    auto options = common<RMSpropOptions>(golden);
    options.rho = golden.number("rho", options.rho);
    options.momentum = golden.number("momentum", options.momentum);
    options.epsilon = golden.number("epsilon", options.epsilon);
    options.centered = golden.flag("centered", options.centered);
    options.name = "rmsprop";
    return RMSprop(options);
  }
  if (kind == "Adam") {
    auto options = adam_options<AdamOptions>(golden);
    options.name = "adam";
    return Adam(options);
  }
  auto options = adam_options<AdamWOptions>(golden);
  options.name = "adamw";
  return AdamW(options);
}

std::vector<double> numbers(const Variable& variable) {
  std::vector<double> values;
  if (variable.spec().dtype == DType::int64) {
    int64_t value;
    std::memcpy(&value, variable.data(), sizeof value);
    return {static_cast<double>(value)};
  }
  for (const float value : variable.value().to_vector()) values.push_back(value);
  return values;
}

Variables make_weights(const GoldenCase& golden) {
  Variables weights;
  for (const char* name : {"kernel", "bias"}) {
    const Tensor start = golden.tensor(std::string("w0.") + name);
    weights.emplace_back(name, start.spec());
    weights.back().set(start.to_vector());
  }
  return weights;
}

void check(const GoldenCase& golden) {
  const Optimizer optimizer = make(golden);
  const Variables weights = make_weights(golden);
  const int steps = static_cast<int>(golden.number("steps", 0));
  ASSERT_GT(steps, 0);
  for (int step = 1; step <= steps; ++step) {
    Tensors gradients;
    for (const Variable& weight : weights)
      gradients.push_back(golden.tensor("g" + std::to_string(step) + "." + weight.name()));
    optimizer.apply_gradients(gradients, weights);
    for (const Variable& weight : weights)
      expect_golden(golden, "w" + std::to_string(step) + "." + weight.name(), weight.value());
  }
  std::vector<std::string> names;
  for (const Variable& variable : optimizer->variables()) {
    names.push_back(variable.name());
    if (golden.has_tensor("slot." + variable.name()))
      expect_golden(golden, "slot." + variable.name(), numbers(variable));
  }
  EXPECT_EQ(names, golden.words("variables"));
}

TEST(Optimizer, AgreesWithKeras) {
  for (const GoldenCase& golden : testing::read_goldens("optimizers")) {
    SCOPED_TRACE(golden.name());
    check(golden);
  }
}

TEST(Optimizer, IsFoundByName) {
  for (const OptimizerKind& kind : optimizer_list())
    EXPECT_EQ(Optimizer(kind.class_name)->class_name(), kind.class_name);
  EXPECT_EQ(Optimizer("rmsprop")->class_name(), "RMSprop");
  const std::string refused = message_of([] { Optimizer("adamm"); });
  EXPECT_TRUE(refused.starts_with(
      "optimizer: 'adamm' is not known (did you mean adam?; known: sgd, rmsprop, adam, "))
      << refused;
  for (const OptimizerKind& kind : optimizer_list()) {
    std::string name(kind.class_name);
    std::ranges::transform(name, name.begin(), [](unsigned char c) { return std::tolower(c); });
    EXPECT_NE(refused.find(" " + name), std::string::npos) << refused;
  }
}

TEST(Optimizer, RefusesSettingsThatCannotWork) {
  EXPECT_EQ(message_of([] { SGD({.learning_rate = -1, .name = "sgd"}); }),
            "sgd: learning_rate must be a finite number, not negative; found -1");
  EXPECT_EQ(
      message_of([] { Adam({.clipnorm = 1.0, .clipvalue = 0.5, .name = "adam"}); }),
      "adam: only one of clipnorm, clipvalue, global_clipnorm, adaptive_clip and clip_percentile "
      "can be set");
  EXPECT_EQ(message_of([] { SGD({.momentum = 1.5, .name = "sgd"}); }),
            "sgd: momentum must be between 0 and 1, found 1.5");
}

class OptimizerStep : public ::testing::Test {
 protected:
  const Spec spec_{DType::float32, {2}};
  const Variable a_{"a", spec_}, b_{"b", spec_};
  const Tensor ones_ = constant(std::array{1.f, 1.f}, {2});
};

TEST_F(OptimizerStep, LeavesAWeightWithoutAGradientAsItIs) {
  const SGD sgd({.learning_rate = 0.5});
  sgd.apply_gradients({ones_, {}}, {a_, b_});
  EXPECT_EQ(a_.value().to_vector(), (std::vector{-0.5f, -0.5f}));
  EXPECT_EQ(b_.value().to_vector(), (std::vector{0.f, 0.f}));
}

TEST_F(OptimizerStep, RefusesAStepWithoutAnyGradient) {
  const SGD sgd({.name = "sgd"});
  EXPECT_EQ(message_of([&] { sgd.apply_gradients({{}}, {a_}); }),
            "sgd: no weight has a gradient (the loss does not depend on any)");
  EXPECT_EQ(message_of([&] {
              sgd.apply_gradients({ones_}, {a_, b_});
            }),
            "sgd: found 1 gradients for 2 weights");
}

TEST_F(OptimizerStep, RefusesAWeightThatItWasNotBuiltFor) {
  const SGD sgd({.name = "sgd"});
  sgd.apply_gradients({ones_}, {a_});
  EXPECT_EQ(message_of([&] { sgd.apply_gradients({ones_}, {b_}); }),
            "sgd: the weight b did not exist when the optimizer was built; use a new optimizer "
            "(compile again) after weights were added or unfrozen");
}

TEST_F(OptimizerStep, ChangesNothingWhereAGradientIsNotFinite) {
  const Adam adam;
  const Tensor bad = constant(std::array{1.f, NAN}, {2});
  adam.apply_gradients({bad, ones_}, {a_, b_});
  EXPECT_THROW(b_.value().to_vector(), NotFinite);
  EXPECT_EQ(b_.value().to_vector(), (std::vector{0.f, 0.f}));
  EXPECT_EQ(adam->iterations().value().item(), 0);
}

TEST_F(OptimizerStep, CountsStepsAndTakesANewLearningRate) {
  const SGD sgd({.learning_rate = 1});
  const double before = training_clock().step.value().item();
  sgd.apply_gradients({ones_}, {a_});
  sgd->set_learning_rate(0.25);
  sgd.apply_gradients({ones_}, {a_});
  EXPECT_EQ(a_.value().to_vector(), (std::vector{-1.25f, -1.25f}));
  EXPECT_EQ(sgd->iterations().value().item(), 2);
  EXPECT_EQ(training_clock().step.value().item(), before + 2);
}

}  // namespace
}  // namespace plimsoll
