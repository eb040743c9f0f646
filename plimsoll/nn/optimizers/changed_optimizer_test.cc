#include "plimsoll/nn/optimizers/changed_optimizer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "plimsoll/base/error.h"
#include "plimsoll/nn/optimizers/adam.h"
#include "plimsoll/nn/optimizers/cosine_decay.h"
#include "plimsoll/nn/optimizers/optimizer_list.h"
#include "plimsoll/ops/ops.h"

namespace plimsoll {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

Variable weight() {
  Variable weight("w", {DType::float32, {2}}, true);
  weight.set(std::vector<float>{1, 2});
  return weight;
}

void step(const Optimizer& optimizer, const Variable& weight, float gradient) {
  optimizer.apply_gradients({constant(std::vector<float>{gradient, gradient}, {2})}, {weight});
  const Tensors results = {weight.value()};
  evaluate(results);
}

float first(const Variable& weight) {
  return *reinterpret_cast<const float*>(weight.data());
}

TEST(ChangedOptimizer, GoesOnWithStepsAndSlots) {
  // A second step of Adam depends on the first by its slots and by the count of steps.
  const Variable one = weight(), two = weight();
  const Optimizer plain = Adam({.learning_rate = 0.5});
  const Optimizer first_half = Adam({.learning_rate = 0.5});
  step(plain, one, 1);
  step(plain, one, -3);
  step(first_half, two, 1);
  const Optimizer second_half = changed(first_half, {.learning_rate = LearningRate(0.5)});
  EXPECT_EQ(second_half->steps_taken(), 1);
  step(second_half, two, -3);
  EXPECT_EQ(first(one), first(two));
  EXPECT_EQ(second_half->steps_taken(), 2);
  EXPECT_EQ(second_half->name(), first_half->name());
}

TEST(ChangedOptimizer, HasTheNewSettingsInItsConfig) {
  const Optimizer optimizer = changed(
      Adam({.beta_1 = 0.8, .clipnorm = 3.0}),
      {.learning_rate = LearningRate(CosineDecay({.initial_learning_rate = 1, .decay_steps = 10})),
       .weight_decay = 0.25,
       .clipvalue = 2,
       .gradient_accumulation_steps = 4});
  const Json config = config_of(optimizer)["config"];
  EXPECT_EQ(config["beta_1"], 0.8);
  EXPECT_EQ(config["weight_decay"], 0.25);
  EXPECT_EQ(config["clipvalue"], 2);
  EXPECT_TRUE(config["clipnorm"].is_null());
  EXPECT_EQ(config["gradient_accumulation_steps"], 4);
  EXPECT_EQ(config["learning_rate"]["class_name"], "CosineDecay");
}

TEST(ChangedOptimizer, TakesARateInPlaceOfASchedule) {
  const Optimizer scheduled =
      Adam({.learning_rate = CosineDecay({.initial_learning_rate = 1, .decay_steps = 10})});
  const Variable it = weight();
  step(scheduled, it, 1);
  const Optimizer optimizer = changed(scheduled, {.learning_rate = LearningRate(0.25)});
  EXPECT_EQ(optimizer->current_learning_rate(), 0.25);
  EXPECT_EQ(optimizer->steps_taken(), 1);
}

TEST(ChangedOptimizer, RefusesWhatCountsStepsAfterTheFirst) {
  const Optimizer used = Adam();
  step(used, weight(), 1);
  const Schedule schedule = CosineDecay({.initial_learning_rate = 1, .decay_steps = 10});
  EXPECT_THAT([&] { changed(used, {.learning_rate = LearningRate(schedule)}); },
              ThrowsMessage<InvalidArgument>(
                  HasSubstr("has taken 1 steps already, and a schedule counts them")));
  EXPECT_THAT([&] { changed(used, {.gradient_accumulation_steps = 2}); },
              ThrowsMessage<InvalidArgument>(HasSubstr("gradient accumulation counts them")));
  EXPECT_NO_THROW(changed(used, {.gradient_accumulation_steps = 1}));
}

}  // namespace
}  // namespace plimsoll
