#include "plimsoll/train/checkpoints/checkpoint.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>

#include "plimsoll/plimsoll.h"
#include "tests/support/temporary_folder.h"

namespace plimsoll {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

constexpr int64_t kEpochs = 3;

Dataset waves() {
  std::vector<float> x, y;
  for (int i = 0; i < 22 * 3; ++i) x.push_back(std::sin(static_cast<float>(i)));
  for (int i = 0; i < 22; ++i) y.push_back(std::cos(static_cast<float>(i)));
  return {constant(x, {22, 3}), constant(y, {22, 1})};
}

Model network() {
  reset_names();
  training_clock().restart();  // as in a new process: nothing was drawn yet
  set_random_seed(2);
  const Tensor in = Input({.shape = {3}});
  const Tensor hidden = Dropout({.rate = 0.4})(Dense({.units = 8, .activation = "tanh"})(in));
  return Model({in}, {Dense({.units = 1})(hidden)});
}

// A loop by hand that ends after so many steps, as if it were killed. Returns the weights if it was
// not. Its steps are of unequal length: some draw random numbers after the update, which belong to
// the next step, and a checkpoint may be between the two.
std::vector<Tensors> loop(const std::string& folder, int64_t steps) {
  Model model = network();
  const Dropout noise({.rate = 0.5, .name = "noise"});
  const Adam optimizer({.learning_rate = 0.01});
  const MeanSquaredError loss_of;
  Checkpoint checkpoint(folder, model, optimizer);
  checkpoint.over(waves(), {.batch_size = 4, .shuffle = true});
  const LoopPosition at = checkpoint.restore();
  for (int64_t epoch = at.epoch; epoch < kEpochs; ++epoch) {
    const TensorBatches batches = checkpoint.batches(epoch);
    for (auto batch = batches.begin(); batch != batches.end(); ++batch) {
      if (steps-- == 0) return {};
      const Tensors fields = *batch;
      const GradientTape tape;
      const Tensor noisy = noise(fields[0], {.training = true});
      const Tensor loss = loss_of(fields[1], model(noisy, {.training = true}));
      const Tensors gradients = tape.gradient(loss, model.trainable_variables());
      optimizer.apply_gradients(gradients, model.trainable_variables());
      for (int64_t i = 0; i < batch.number() % 3; ++i) noise(fields[0], {.training = true});
      checkpoint.save({epoch, batch.number() + 1});
    }
  }
  return {model.get_weights()};
}

Tensor mean_of_squares(const Tensor& x) {
  return mean(square(x));
}

std::vector<std::vector<float>> numbers(const std::vector<Tensors>& weights) {
  std::vector<std::vector<float>> all;
  for (const Tensor& weight : weights.at(0)) all.push_back(weight.to_vector());
  return all;
}

TEST(LoopCheckpoint, ALoopThatEndsAnywhereGoesOnBitForBit) {
  TemporaryFolder folder;
  const auto whole = numbers(loop(folder.path("whole"), 1000));
  for (int64_t steps = 1; steps < 18; steps += 4) {
    const std::string place = folder.path(std::to_string(steps));
    EXPECT_TRUE(loop(place, steps).empty());
    EXPECT_TRUE(loop(place, 2).empty() || steps > 15);
    EXPECT_EQ(numbers(loop(place, 1000)), whole) << "stopped after " << steps << " steps";
  }
}

// Two models with an optimizer each, and a third whose weights are now and then those of the first.
// Ends after so many steps; returns the weights of the three if it was not.
std::vector<Tensors> adversaries(const std::string& folder, int64_t steps) {
  reset_names();
  training_clock().restart();
  set_random_seed(4);
  const auto dense = [](int64_t inputs, int64_t units) {
    const Tensor in = Input({.shape = {inputs}});
    const Tensor hidden = Dropout({.rate = 0.2})(Dense({.units = 5, .activation = "tanh"})(in));
    return Model({in}, {Dense({.units = units})(hidden)});
  };
  Model generator = dense(3, 1), judge = dense(1, 1), mean = dense(3, 1);
  const Adam of_generator({.learning_rate = 0.02});
  const SGD of_judge({.learning_rate = 0.05, .momentum = 0.9});
  Checkpoint checkpoint(folder, {{generator, of_generator}, {judge, of_judge}, {mean}});
  const LoopPosition at = checkpoint.restore();
  const auto train = [](const Model& model, const Optimizer& optimizer, const auto& loss_of) {
    const GradientTape tape;
    const Tensors gradients = tape.gradient(loss_of(), model.trainable_variables());
    optimizer.apply_gradients(gradients, model.trainable_variables());
  };
  for (int64_t epoch = at.epoch; epoch < kEpochs; ++epoch) {
    const TensorBatches batches = tensor_batches(
        waves(), {.batch_size = 4, .shuffle = true, .epoch = epoch, .first = at.batch_in(epoch)});
    for (auto batch = batches.begin(); batch != batches.end(); ++batch) {
      if (steps-- == 0) return {};
      const Tensors fields = *batch;
      const auto made = [&] { return generator(fields[0], {.training = true}); };
      const auto judged = [&](const Tensor& it) { return judge(it, {.training = true}); };
      train(judge, of_judge, [&] {
        return mean_of_squares(judged(fields[1]) - 1) + mean_of_squares(judged(made()));
      });
      train(generator, of_generator, [&] { return mean_of_squares(judged(made()) - 1); });
      if (batch.number() % 4 == 1) mean.set_weights(generator.get_weights());
      checkpoint.save({epoch, batch.number() + 1});
    }
  }
  Tensors all;
  for (const Model& model : {generator, judge, mean})
    for (const Tensor& weight : model.get_weights()) all.push_back(weight);
  return {all};
}

TEST(LoopCheckpoint, ALoopOverSeveralModelsGoesOnBitForBit) {
  TemporaryFolder folder;
  const auto whole = numbers(adversaries(folder.path("whole"), 1000));
  for (int64_t steps = 1; steps < 18; steps += 5) {
    const std::string place = folder.path(std::to_string(steps));
    EXPECT_TRUE(adversaries(place, steps).empty());
    EXPECT_EQ(numbers(adversaries(place, 1000)), whole) << "stopped after " << steps << " steps";
  }
}

// An encoder of two weights, and it with a decoder of two more, which one optimizer trains.
TEST(LoopCheckpoint, WhatModelsShareIsKeptOnce) {
  TemporaryFolder folder;
  const auto build = [] {
    reset_names();
    set_random_seed(6);
    const Tensor in = Input({.shape = {3}});
    const Tensor code = Dense({.units = 2})(in);
    return std::vector{Model({in}, {code}), Model({in}, {Dense({.units = 3})(code)})};
  };
  const std::vector<Model> models = build();
  const Adam adam;
  Checkpoint(folder.path("run"), {{models[0], adam}, {models[1], adam}}).save({1, 0});
  const int64_t steps = 1, rate = 1, slots = 2, clock = 2;
  const CheckpointFile file = CheckpointFile::open(CheckpointFolder(folder.path("run")).path_of(1));
  EXPECT_EQ(StateReader(file).number("variables/count"), (1 + slots) * 4 + steps + rate + clock);
  const std::vector<Model> later = build();
  later[0].weights()[0].set(std::vector<float>(6, 0.5f));
  const Adam fresh;
  EXPECT_EQ(Checkpoint(folder.path("run"), {{later[0], fresh}, {later[1], fresh}}).restore(),
            (LoopPosition{1, 0}));
  for (size_t i = 0; i < 4; ++i)
    EXPECT_EQ(later[1].weights()[i].value().to_vector(),
              models[1].weights()[i].value().to_vector());
  for (const Variable& weight : later[1].trainable_variables()) EXPECT_TRUE(fresh->knows(weight));
}

TEST(LoopCheckpoint, RefusesToKeepNothing) {
  EXPECT_THAT([] { Checkpoint("run", std::vector<LoopModel>()); },
              ThrowsMessage<InvalidArgument>(HasSubstr("there is no model")));
  EXPECT_THAT([] { Checkpoint("run", network(), Optimizer()); },
              ThrowsMessage<InvalidArgument>(HasSubstr("there is no optimizer")));
}

TEST(LoopCheckpoint, WithoutOneALoopBegins) {
  TemporaryFolder folder;
  Checkpoint checkpoint(folder.path("none"), network(), Adam());
  EXPECT_EQ(checkpoint.restore(), LoopPosition());
  EXPECT_FALSE(checkpoint.latest());
  checkpoint.save({1, 2});
  EXPECT_THAT(*checkpoint.latest(), HasSubstr("none/000000000001.checkpoint"));
  EXPECT_EQ(checkpoint.restore(), (LoopPosition{1, 2}));
}

// A loop that reads other batches than it did would not be the same loop.
TEST(LoopCheckpoint, NamesWhatChangedInItsDataAndBatches) {
  TemporaryFolder folder;
  const auto checkpoint = [&](const Dataset& data, const TensorBatchesOptions& options) {
    Checkpoint made(folder.path("run"), network(), Adam());
    made.over(data, options);
    return made;
  };
  const TensorBatchesOptions options{.batch_size = 4, .shuffle = true};
  checkpoint(waves(), options).save({1, 3});
  EXPECT_EQ(checkpoint(waves(), options).restore(), (LoopPosition{1, 3}));
  EXPECT_EQ(checkpoint(waves(), options).batches(0).begin().number(), 0);
  Checkpoint again = checkpoint(waves(), options);
  again.restore();
  EXPECT_EQ(again.batches(1).begin().number(), 3);
  EXPECT_EQ(again.batches(2).begin().number(), 0);
  const auto refuses = [&](const Dataset& data, const TensorBatchesOptions& changed,
                           const std::string& what) {
    EXPECT_THAT([&] { checkpoint(data, changed).restore(); },
                ThrowsMessage<InvalidArgument>(
                    AllOf(HasSubstr(folder.path("run") + ": "), HasSubstr(what))));
  };
  refuses(waves(), {.batch_size = 8, .shuffle = true}, "batch_size was 4 and is 8");
  refuses(waves(), {.batch_size = 4}, "shuffle was true and is false");
  refuses(waves(), {.batch_size = 4, .shuffle = true, .seed = 77}, "seed was not given and is 77");
  refuses(waves(), {.batch_size = 4, .shuffle = true, .steps = 2}, "steps was not given and is 2");
  refuses(waves(), {.batch_size = 4, .shuffle = true, .drop_remainder = true},
          "drop_remainder was false and is true");
  refuses({constant(std::vector<float>(66), {22, 3}), constant(std::vector<float>(22), {22, 1})},
          options, "the data: contents of ");
  // Who does not say what is read is not asked.
  EXPECT_EQ(Checkpoint(folder.path("run"), network(), Adam()).restore(), (LoopPosition{1, 3}));
}

TEST(LoopCheckpoint, RefusesAnotherModelAndOneWithoutWeights) {
  TemporaryFolder folder;
  Checkpoint(folder.path("run"), network(), Adam()).save({1, 0});
  const Tensor in = Input({.shape = {5}});
  Checkpoint other(folder.path("run"), Model({in}, {Dense({.units = 1})(in)}), Adam());
  EXPECT_THAT([&] { other.restore(); }, ThrowsMessage<CorruptFile>(HasSubstr("variables")));
  Checkpoint unbuilt(folder.path("run"), Sequential({Dense({.units = 1})}), Adam());
  EXPECT_THAT([&] { unbuilt.restore(); },
              ThrowsMessage<InvalidArgument>(HasSubstr("give it an Input, or call it once")));
}

TEST(LoopCheckpoint, NeverTakesOneThatIsNotWhole) {
  TemporaryFolder folder;
  Checkpoint checkpoint(folder.path("run"), network(), Adam(), 1);
  checkpoint.save({1, 0});
  std::ofstream(*checkpoint.latest(), std::ios::app) << "more";
  EXPECT_THROW(checkpoint.restore(), CorruptFile);
}

}  // namespace
}  // namespace plimsoll
