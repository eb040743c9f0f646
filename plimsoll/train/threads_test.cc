// Models that several threads train, at once or one after the other.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <future>
#include <thread>
#include <vector>

#include "plimsoll/plimsoll.h"

namespace plimsoll {
namespace {

constexpr int64_t kSamples = 60, kSide = 6;

struct Images {
  Tensor x, y;
};

// Two classes of small images, told apart by the sign of their sum.
Images small_images() {
  std::vector<float> x;
  std::vector<int32_t> y;
  for (int64_t i = 0; i < kSamples; ++i) {
    float sum = 0;
    for (int64_t j = 0; j < kSide * kSide; ++j) {
      x.push_back(std::sin(static_cast<float>(i * kSide * kSide + j) * 1.3f));
      sum += x.back();
    }
    y.push_back(sum > 0 ? 1 : 0);
  }
  return {constant(x, {kSamples, kSide, kSide, 1}), constant(y, {kSamples})};
}

// With all that is drawn: initial weights, dropout and the order of records.
Sequential convolutional(int64_t seed) {
  set_random_seed(seed);
  Sequential model({
      Conv2D({.filters = 4, .kernel_size = {3, 3}, .activation = "relu"}),
      Flatten(),
      Dropout({.rate = 0.3}),
      Dense({.units = 2, .activation = "softmax"}),
  });
  model.compile(
      {.optimizer = Adam({.learning_rate = 0.01}), .loss = "sparse_categorical_crossentropy"});
  return model;
}

std::vector<float> all_weights(const Model& model) {
  std::vector<float> all;
  for (const Variable& weight : model.weights())
    for (float value : weight.value().to_vector()) all.push_back(value);
  return all;
}

std::vector<float> trained_by_fit(int64_t seed) {
  const Images data = small_images();
  Sequential model = convolutional(seed);
  model.fit(data.x, data.y, {.epochs = 6, .batch_size = 16, .verbose = 0});
  return all_weights(model);
}

std::vector<float> trained_by_hand(int64_t seed) {
  const Images data = small_images();
  Sequential model = convolutional(seed);
  Optimizer optimizer = Adam({.learning_rate = 0.01});
  const Loss loss_of = SparseCategoricalCrossentropy();
  for (int step = 0; step < 12; ++step) {
    const GradientTape tape;
    const Tensor loss = loss_of(data.y, model(data.x, {.training = true}));
    const Variables weights = model.trainable_variables();
    optimizer.apply_gradients(tape.gradient(loss, weights), weights);
  }
  return all_weights(model);
}

template <class Train>
void expect_same_bits_at_once(const Train& train) {
  const auto start = [&](int64_t seed) {
    return std::async(std::launch::async, [&train, seed] { return train(seed); });
  };
  // Threads of their own, which know no layer names yet.
  const std::vector<float> first = start(1).get(), second = start(2).get();
  EXPECT_NE(first, second);
  auto one = start(1), other = start(2), again = start(1);
  EXPECT_EQ(one.get(), first);
  EXPECT_EQ(other.get(), second);
  EXPECT_EQ(again.get(), first);
}

TEST(TrainingThreads, FitInSeveralAtOnceGivesTheBitsOfOneAfterTheOther) {
  expect_same_bits_at_once(trained_by_fit);
}

TEST(TrainingThreads, LoopsByHandInSeveralAtOnceGiveTheBitsOfOneAfterTheOther) {
  expect_same_bits_at_once(trained_by_hand);
}

// Trains some more, in an order and with numbers that no clock decides.
void train_on(Model& model) {
  const Images data = small_images();
  model.fit(data.x, data.y, {.epochs = 2, .batch_size = 16, .shuffle = false, .verbose = 0});
}

Sequential without_dropout() {
  set_random_seed(3);
  reset_names();
  Sequential model({Flatten(), Dense({.units = 8, .activation = "relu"}),
                    Dense({.units = 2, .activation = "softmax"})});
  model.compile({.optimizer = Adam(), .loss = "sparse_categorical_crossentropy"});
  return model;
}

TEST(TrainingThreads, AModelMayBeHandedFromThreadToThread) {
  Sequential one = without_dropout();
  for (int i = 0; i < 3; ++i) train_on(one);

  Sequential handed = without_dropout();
  train_on(handed);
  std::thread([&] { train_on(handed); }).join();
  train_on(handed);
  EXPECT_EQ(all_weights(handed), all_weights(one));
}

TEST(TrainingThreads, APredictionOfAnotherThreadIsTheSame) {
  Sequential model = without_dropout();
  const Images data = small_images();
  train_on(model);
  const std::vector<float> here = model.predict(data.x).to_vector();
  const Tensor there = std::async(std::launch::async, [&] { return model.predict(data.x); }).get();
  EXPECT_EQ(there.to_vector(), here);
  const Tensor called = std::async(std::launch::async, [&] { return model(data.x); }).get();
  EXPECT_EQ(called.to_vector(), here);
}

}  // namespace
}  // namespace plimsoll
