#include "plimsoll/train/checkpoints/checkpoint.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>

#include "plimsoll/plimsoll.h"
#include "tests/support/temporary_folder.h"

namespace plimsoll {
namespace {

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
  const LoopPosition at = checkpoint.restore();
  for (int64_t epoch = at.epoch; epoch < kEpochs; ++epoch) {
    const TensorBatches batches = tensor_batches(
        waves(), {.batch_size = 4, .shuffle = true, .epoch = epoch, .first = at.batch_in(epoch)});
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

TEST(LoopCheckpoint, WithoutOneALoopBegins) {
  TemporaryFolder folder;
  Checkpoint checkpoint(folder.path("none"), network(), Adam());
  EXPECT_EQ(checkpoint.restore(), LoopPosition());
  EXPECT_FALSE(checkpoint.latest());
  checkpoint.save({1, 2});
  EXPECT_THAT(*checkpoint.latest(), HasSubstr("none/000000000001.checkpoint"));
  EXPECT_EQ(checkpoint.restore(), (LoopPosition{1, 2}));
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
