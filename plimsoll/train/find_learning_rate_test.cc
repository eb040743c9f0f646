#include "plimsoll/train/find_learning_rate.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "plimsoll/plimsoll.h"

namespace plimsoll {
namespace {

using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

constexpr int64_t kRecords = 256;

Dataset waves() {
  std::vector<float> x, y;
  for (int64_t i = 0; i < kRecords; ++i) {
    const float a = std::sin(static_cast<float>(i) * 12.9898F) * 2;
    const float b = std::sin(static_cast<float>(i) * 78.233F) * 2;
    x.insert(x.end(), {a, b});
    y.push_back(std::sin(a) * b);
  }
  return Dataset(constant(x, {kRecords, 2}), constant(y, {kRecords, 1}));
}

Model network(const Optimizer& optimizer) {
  reset_names();
  set_random_seed(5);
  Sequential model({Dense({.units = 32, .activation = "tanh"}),
                    Dense({.units = 32, .activation = "relu"}), Dense({.units = 1})});
  model.compile({.optimizer = optimizer, .loss = "mse"});
  return model;
}

double loss_after(const Optimizer& optimizer) {
  Model model = network(optimizer);
  FitOptions options{.epochs = 30, .verbose = 0};
  options.callbacks = {TerminateOnNaN()};
  return model.fit(waves(), options).epochs.at("loss").back();
}

TEST(FindLearningRate, ProposesOneThatTrainsWhereAHundredTimesMoreOrLessDoesNot) {
  Model model = network(Adam());
  const FoundLearningRate found = find_learning_rate(model, waves());
  ASSERT_TRUE(found.rate);
  EXPECT_THAT(found.how, HasSubstr("a tenth of that is proposed"));
  const auto with = [](double rate) { return loss_after(Adam({.learning_rate = rate})); };
  const double good = with(*found.rate);
  EXPECT_LT(good, 0.2);
  EXPECT_GT(with(*found.rate / 100), 3 * good);
  EXPECT_FALSE(with(*found.rate * 100) < 3 * good);  // it may be NaN
}

TEST(FindLearningRate, LeavesTheModelAsItWas) {
  Model model = network(SGD({.learning_rate = 0.01, .momentum = 0.9}));
  model.predict(constant(std::vector<float>{1, 2}, {1, 2}));
  const Tensors before = model.get_weights();
  const FoundLearningRate found = find_learning_rate(model, waves(), {.steps = 80});
  EXPECT_LE(std::ssize(found.trials), 80);
  const Tensors after = model.get_weights();
  for (size_t i = 0; i < before.size(); ++i) EXPECT_EQ(before[i].to_vector(), after[i].to_vector());
  EXPECT_EQ(model.optimizer()->steps_taken(), 0);
  EXPECT_NEAR(model.optimizer()->current_learning_rate(), 0.01, 1e-8);
}

TEST(FindLearningRate, RefusesRangesAndSchedules) {
  Model model = network(Adam());
  EXPECT_THROW(find_learning_rate(model, waves(), {.least = 1, .largest = 0.1}), InvalidArgument);
  EXPECT_THROW(find_learning_rate(model, waves(), {.steps = 3}), InvalidArgument);
  Model scheduled = network(
      Adam({.learning_rate = ExponentialDecay({.initial_learning_rate = 0.1, .decay_steps = 10})}));
  EXPECT_THAT([&] { find_learning_rate(scheduled, waves()); },
              ThrowsMessage<InvalidArgument>(HasSubstr("a schedule decides")));
}

}  // namespace
}  // namespace plimsoll
