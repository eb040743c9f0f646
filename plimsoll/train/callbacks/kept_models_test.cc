#include "plimsoll/train/callbacks/kept_models.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "plimsoll/formats/checkpoint/checkpoint_folder.h"
#include "plimsoll/formats/checkpoint/state.h"
#include "plimsoll/nn/layers/dense.h"
#include "plimsoll/nn/networks/input.h"
#include "plimsoll/nn/optimizers/adam.h"
#include "plimsoll/train/callbacks/callback.h"
#include "plimsoll/train/checkpoints/saved_variables.h"
#include "plimsoll/train/files/model_file.h"
#include "plimsoll/train/model.h"
#include "tests/support/messages.h"
#include "tests/support/temporary_folder.h"

namespace plimsoll {
namespace {

using testing::message_of;

Tensor waves(const Shape& shape) {
  std::vector<float> values;
  for (int64_t i = 0; i < shape.elements(); ++i)
    values.push_back(std::sin(static_cast<float>(i) * 0.37f));
  return constant(values, shape);
}

Sequential small_model() {
  Sequential model({InputLayer({.shape = {3}}), Dense({.units = 1})});
  model.compile({.optimizer = Adam({.learning_rate = 0.7}), .loss = "mse", .metrics = {"mae"}});
  return model;
}

std::vector<float> values_of(const Model& model) {
  std::vector<float> all;
  for (const Variable& weight : model.weights())
    for (const float value : weight.value().to_vector()) all.push_back(value);
  return all;
}

// Passes each epoch on to `kept`, and notes the weights after it.
class Keeper final : public Callback {
 public:
  explicit Keeper(KeptModels& kept) : kept_(kept) {}
  void on_epoch_end(TrainingState& state) override {
    kept_.end_epoch(state);
    weights.push_back(values_of(state.model));
  }

  std::vector<std::vector<float>> weights;

 private:
  KeptModels& kept_;
};

struct Fitted {
  History history;
  std::vector<std::vector<float>> weights;  // after each epoch
};

Fitted fit(Model& model, KeptModels& kept, bool validates) {
  const auto keeper = std::make_shared<Keeper>(kept);
  FitOptions options{.epochs = 6, .verbose = 0};
  if (validates) options.validation_data = Dataset(waves({4, 3}), waves({4, 1}));
  options.callbacks.emplace_back(keeper);
  History history = model.fit(waves({8, 3}), waves({8, 1}), options);
  return {std::move(history), keeper->weights};
}

TEST(KeptModels, SavesTheModelOfTheBestEpochBesideTheLast) {
  const TemporaryFolder folder;
  Sequential model = small_model();
  KeptModels kept(BestBy{}, model);
  kept.use_folder(folder.path().string());
  const Fitted fitted = fit(model, kept, true);
  kept.save(model, 6);
  const std::vector<double>& losses = fitted.history.epochs.at("val_loss");
  const auto best = std::ranges::min_element(losses) - losses.begin();
  EXPECT_EQ(kept.best().epoch, best + 1);
  EXPECT_EQ(kept.best().value, losses[static_cast<size_t>(best)]);
  EXPECT_EQ(values_of(load_model(folder.path("best.keras")).model),
            fitted.weights[static_cast<size_t>(best)]);
  EXPECT_EQ(values_of(load_model(folder.path("model.keras")).model), fitted.weights.back());
  EXPECT_EQ(folder.count(), 2u);
}

// A run that goes back to a checkpoint may have written files after it.
TEST(KeptModels, WritesTheFilesAnewAfterGoingBack) {
  const TemporaryFolder folder;
  Sequential model = small_model();
  KeptModels kept(BestBy{}, model);
  kept.use_folder(folder.path().string());
  const Fitted fitted = fit(model, kept, true);
  kept.save_last_whole(model);
  CheckpointFolder checkpoints(folder.path("checkpoints"));
  checkpoints.write(1, 1, [&](CheckpointWriter& file) {
    StateWriter to(file);
    kept.save_state(to, model);
  });
  std::vector<Finding> findings;
  const auto checkpoint = checkpoints.newest(findings);
  ASSERT_TRUE(checkpoint);
  const Sequential undone = small_model();
  for (const char* file : {"model.keras", "best.keras"}) save_model(undone, folder.path(file));

  kept.load_state(StateReader(*checkpoint), model);
  kept.save_last_whole(model);
  const std::vector<double>& losses = fitted.history.epochs.at("val_loss");
  const auto best = std::ranges::min_element(losses) - losses.begin();
  EXPECT_EQ(values_of(load_model(folder.path("best.keras")).model),
            fitted.weights[static_cast<size_t>(best)]);
  EXPECT_EQ(values_of(load_model(folder.path("model.keras")).model), fitted.weights.back());
}

// The model as it is, the last epoch and the best are one: a checkpoint of it has that once.
TEST(KeptModels, AreNotStoredASecondTimeInACheckpoint) {
  const TemporaryFolder folder;
  Sequential model({InputLayer({.shape = {3}}), Dense({.units = 1000}), Dense({.units = 1})});
  model.compile({.optimizer = Adam({.learning_rate = 1e-5}), .loss = "mse"});
  KeptModels kept(BestBy{.metric = "loss"}, model);
  kept.use_folder(folder.path().string());
  fit(model, kept, true);
  const auto write = [&](int64_t number, bool keeps) {
    CheckpointFolder checkpoints(folder.path("checkpoints"));
    checkpoints.write(number, 9, [&](CheckpointWriter& file) {
      StateWriter to(file), variables = to.within("variables"), models = to.within("kept");
      save_variables(variables, trained_state(model, model.optimizer()));
      if (keeps) kept.save_state(models, model);
    });
    return CheckpointFile::open(checkpoints.path_of(number)).bytes();
  };
  const int64_t state = WeightSnapshot::bytes_of(model), alone = write(1, false);
  constexpr int64_t kMostOfIndex = 16 << 10;
  EXPECT_LE(write(2, true), alone + kMostOfIndex);
  ASSERT_GT(state, 2 * kMostOfIndex) << "else this shows nothing";
  Variable kernel = model.weights()[0];
  kernel.set(std::vector<float>(3000, 0.5f));
  EXPECT_GE(write(3, true), alone + kernel.spec().bytes()) << "what differs is stored";
}

TEST(KeptModels, FallsBackToTheLastEpochThatIsFinite) {
  const TemporaryFolder folder;
  Sequential model = small_model();
  KeptModels kept(std::nullopt, model);
  kept.use_folder(folder.path().string());
  const Fitted fitted = fit(model, kept, false);
  int asked = 0;
  kept.save_last_finite(model, [&] { return ++asked == 2; });
  EXPECT_EQ(kept.model().epoch, 5);
  EXPECT_EQ(values_of(load_model(folder.path("model.keras")).model), fitted.weights[4]);
}

TEST(KeptModels, FallsBackToTheModelAsItIsInTheFirstEpoch) {
  const TemporaryFolder folder;
  Sequential model = small_model();
  KeptModels kept(std::nullopt, model);
  kept.use_folder(folder.path().string());
  kept.save_last_finite(model, [] { return true; });
  EXPECT_FALSE(kept.has_model()) << "no step was taken";
  model.fit(waves({8, 3}), waves({8, 1}), {.epochs = 1, .verbose = 0});
  kept.save_last_finite(model, [] { return false; });
  EXPECT_FALSE(kept.has_model());
  kept.save_last_finite(model, [] { return true; });
  EXPECT_TRUE(kept.has_model() && kept.is_as_it_ended());
  EXPECT_EQ(values_of(load_model(folder.path("model.keras")).model), values_of(model));
}

TEST(KeptModels, SavesNothingWhereNoEpochIsFinite) {
  const TemporaryFolder folder;
  Sequential model = small_model();
  KeptModels kept(std::nullopt, model);
  kept.use_folder(folder.path().string());
  fit(model, kept, false);
  kept.save_last_finite(model, [] { return false; });
  EXPECT_FALSE(kept.has_model());
  EXPECT_EQ(folder.count(), 0u);
}

TEST(KeptModels, DoubtsAModelWhoseLastStepMadeWeightsHuge) {
  const TemporaryFolder folder;
  Sequential model = small_model();
  KeptModels kept(std::nullopt, model);
  kept.use_folder(folder.path().string());
  const Fitted fitted = fit(model, kept, false);
  EXPECT_FALSE(kept.is_doubtful(model)) << "training that goes well";
  Variable kernel = model.weights()[0];
  kernel.set(std::vector<float>{1e25f, 1, 1});
  EXPECT_TRUE(kept.is_doubtful(model));
  kernel.set(std::vector<float>{1, NAN, 1});
  EXPECT_TRUE(kept.is_doubtful(model));
  kernel.set(std::vector<float>{5, 1, 1});
  EXPECT_FALSE(kept.is_doubtful(model));
}

TEST(KeptModels, WantsToKnowWhatIsBetter) {
  const Sequential model = small_model();
  EXPECT_EQ(
      message_of([&] { KeptModels(BestBy{.metric = "val_height"}, model); }),
      "best model: whether 'val_height' should rise or fall is not known; pass mode \"max\" or "
      "\"min\"");
  KeptModels(BestBy{.metric = "val_height", .mode = "max"}, model);
}

TEST(WeightSnapshot, PutsWeightsAndOptimizerBack) {
  const TemporaryFolder folder;
  Sequential model = small_model();
  KeptModels kept(std::nullopt, model);
  kept.use_folder(folder.path().string());
  model.fit(waves({8, 3}), waves({8, 1}), {.epochs = 2, .verbose = 0});
  WeightSnapshot snapshot(folder.path().string());
  snapshot.take(model);
  EXPECT_EQ(folder.count(), 0u);
  const auto after = [&] {
    model.fit(waves({8, 3}), waves({8, 1}), {.epochs = 1, .seed = 1, .verbose = 0});
    return values_of(model);
  };
  const std::vector<float> once = after();
  snapshot.put_back(model);
  EXPECT_EQ(after(), once);
}

}  // namespace
}  // namespace plimsoll
