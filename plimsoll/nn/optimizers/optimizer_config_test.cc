#include <gtest/gtest.h>

#include <cstring>
#include <nlohmann/json.hpp>

#include "plimsoll/nn/optimizers/adam.h"
#include "plimsoll/nn/optimizers/decay.h"
#include "plimsoll/nn/optimizers/optimizer_list.h"
#include "plimsoll/nn/optimizers/sgd.h"
#include "tests/support/golden.h"
#include "tests/support/messages.h"

namespace plimsoll {
namespace {

using testing::expect_golden;
using testing::GoldenCase;
using testing::message_of;

Variables make_weights(const GoldenCase& golden) {
  Variables weights;
  for (const char* name : {"kernel", "bias"}) {
    const Tensor start = golden.tensor(std::string("w0.") + name);
    weights.emplace_back(name, start.spec());
    weights.back().set(start.to_vector());
  }
  return weights;
}

std::vector<double> numbers(const Variable& variable) {
  if (variable.spec().dtype == DType::int64) return {variable.value().item()};
  const std::vector<float> values = variable.value().to_vector();
  return {values.begin(), values.end()};
}

void run_steps(const GoldenCase& golden, const Optimizer& optimizer, const Variables& weights) {
  const int steps = static_cast<int>(golden.number("steps", 0));
  ASSERT_GT(steps, 0);
  for (int step = 1; step <= steps; ++step) {
    Tensors gradients;
    for (const Variable& weight : weights)
      gradients.push_back(golden.tensor("g" + std::to_string(step) + "." + weight.name()));
    optimizer.apply_gradients(gradients, weights);
    for (const Variable& weight : weights) {
      const std::string name = "w" + std::to_string(step) + "." + weight.name();
      if (golden.has_tensor(name)) expect_golden(golden, name, weight.value());
    }
  }
}

void check(const GoldenCase& golden) {
  const Optimizer optimizer = optimizer_from_config(Json::parse(golden.raw("config", "")));
  const Variables weights = make_weights(golden);
  if (golden.has("excluded")) optimizer->exclude_from_weight_decay({golden.text("excluded")});
  run_steps(golden, optimizer, weights);
  const Variables state = optimizer->variables();
  for (size_t i = 0; i < state.size(); ++i)
    expect_golden(golden, "state." + std::to_string(i), numbers(state[i]));
  EXPECT_FALSE(golden.has_tensor("state." + std::to_string(state.size())));
  optimizer->finalize_variable_values();
  for (const Variable& weight : weights)
    expect_golden(golden, "final." + weight.name(), weight.value());
}

TEST(OptimizerConfig, MakesTheOptimizerThatKerasWroteDown) {
  for (const GoldenCase& golden : testing::read_goldens("optimizer_configs")) {
    SCOPED_TRACE(golden.name());
    check(golden);
  }
}

TEST(OptimizerConfig, IsWrittenAsKerasDoes) {
  for (const GoldenCase& golden : testing::read_goldens("optimizer_configs")) {
    const Json config = Json::parse(golden.raw("config", ""));
    EXPECT_EQ(config_of(optimizer_from_config(config)).dump(), config.dump()) << golden.name();
  }
}

TEST(OptimizerConfig, HoldsTheLearningRateAsItIsNow) {
  const SGD sgd({.learning_rate = 0.5, .name = "sgd"});
  sgd->set_learning_rate(0.25);
  EXPECT_EQ(config_of(sgd)["config"]["learning_rate"], 0.25);
}

TEST(OptimizerConfig, IsReadFromANameAndFromInsideALossScale) {
  EXPECT_EQ(optimizer_from_config("adam")->class_name(), "Adam");
  const Json scaled = {{"class_name", "LossScaleOptimizer"},
                       {"config", {{"inner_optimizer", config_of(Adam({.beta_1 = 0.8}))}}}};
  EXPECT_EQ(config_of(optimizer_from_config(scaled))["config"]["beta_1"], 0.8);
}

TEST(OptimizerConfig, SaysWhatIsWrongWithIt) {
  const auto read = [](const char* text) { optimizer_from_config(Json::parse(text)); };
  EXPECT_EQ(message_of([&] { read(R"({"class_name": "SGD", "config": {"momentum": "high"}})"); }),
            "optimizer SGD: momentum must be a number, found \"high\"");
  EXPECT_EQ(message_of([&] {
              read(R"({"class_name": "SGD", "config": {"learning_rate": {"class_name": "Warm"}}})");
            }),
            "optimizer SGD: learning_rate: the schedule 'Warm' is not known (known: "
            "ExponentialDecay, PiecewiseConstantDecay, PolynomialDecay, InverseTimeDecay, "
            "CosineDecay, CosineDecayRestarts)");
  EXPECT_EQ(message_of([&] { read(R"({"class_name": "SGD", "config": {"speed": 3}})"); }),
            "optimizer SGD: its config has speed = 3, which is not known");
}

TEST(OptimizerSettings, AreRefusedWhereTheyCannotWork) {
  EXPECT_EQ(message_of([] { SGD({.use_ema = true, .ema_momentum = 1.5, .name = "sgd"}); }),
            "sgd: ema_momentum must be between 0 and 1, found 1.5");
  EXPECT_EQ(message_of([] { SGD({.gradient_accumulation_steps = 1, .name = "sgd"}); }),
            "sgd: gradient_accumulation_steps must be 2 or more, found 1");
  const ExponentialDecay decay(
      {.initial_learning_rate = 0.1, .decay_steps = 10, .decay_rate = 0.5});
  const SGD scheduled({.learning_rate = decay, .name = "sgd"});
  EXPECT_EQ(message_of([&] { scheduled->set_learning_rate(1); }),
            "sgd: a schedule decides its learning rate; to set it, make the optimizer with a "
            "number");
  EXPECT_NEAR(scheduled->current_learning_rate(), 0.1, 1e-7);
  scheduled->build({});
  EXPECT_EQ(message_of([&] { scheduled->exclude_from_weight_decay({"bias"}); }),
            "sgd: exclude_from_weight_decay must come before the first step");
}

}  // namespace
}  // namespace plimsoll
