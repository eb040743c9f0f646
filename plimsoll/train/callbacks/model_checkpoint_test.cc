#include "plimsoll/train/callbacks/model_checkpoint.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <set>

#include "plimsoll/nn/layers/dense.h"
#include "plimsoll/nn/networks/input.h"
#include "plimsoll/nn/optimizers/sgd.h"
#include "plimsoll/train/callbacks/lambda_callback.h"
#include "plimsoll/train/files/file_pattern.h"
#include "plimsoll/train/files/model_file.h"
#include "plimsoll/train/model.h"
#include "tests/support/golden.h"
#include "tests/support/messages.h"

namespace plimsoll {
namespace {

using ::testing::ElementsAre;
using testing::GoldenCase;
using testing::message_of;
namespace fs = std::filesystem;

constexpr int64_t kSamples = 6;

// A folder of the test's own that goes with it.
class Folder {
 public:
  Folder() : path_(fs::path(::testing::TempDir()) / "model_checkpoint_test") { clear(); }
  ~Folder() { clear(); }
  std::string operator/(const std::string& name) const { return (path_ / name).string(); }
  std::set<std::string> names() const {
    std::set<std::string> names;
    if (!fs::exists(path_)) return names;
    for (const auto& entry : fs::recursive_directory_iterator(path_))
      if (entry.is_regular_file()) names.insert(fs::relative(entry.path(), path_).string());
    return names;
  }
  void clear() const { fs::remove_all(path_); }

 private:
  fs::path path_;
};

Tensor numbers(const Shape& shape) {
  std::vector<float> values;
  for (int64_t i = 0; i < shape.elements(); ++i)
    values.push_back(std::sin(static_cast<float>(i) * 0.37f));
  return constant(values, shape);
}

Sequential toy_model() {
  Sequential model({InputLayer({.shape = {3}}), Dense({.units = 1})});
  model.compile(
      {.optimizer = SGD({.learning_rate = 0.1}), .loss = "mse", .metrics = {"accuracy", "mae"}});
  return model;
}

TEST(ModelCheckpoint, SavesAfterEachEpochUnderANameOfItsOwn) {
  const Folder folder;
  Sequential model = toy_model();
  const Tensor x = numbers({kSamples, 3}), y = numbers({kSamples, 1});
  std::vector<std::vector<float>> weights;
  const LambdaCallback keep({.on_epoch_end = [&](TrainingState& state) {
    weights.push_back(state.model.weights()[0].value().to_vector());
  }});
  const ModelCheckpoint save(folder / "runs/{epoch:02d}.keras");
  model.fit(x, y, {.epochs = 2, .verbose = 0, .callbacks = {keep, save}});
  EXPECT_THAT(folder.names(), ElementsAre("runs/01.keras", "runs/02.keras"));
  const LoadedModel first = load_model(folder / "runs/01.keras");
  EXPECT_EQ(first.model.weights()[0].value().to_vector(), weights[0]);
  EXPECT_TRUE(first.compiled);
}

TEST(ModelCheckpoint, SavesEachTimeSoManyBatchesAreDone) {
  const Folder folder;
  Sequential model = toy_model();
  const Tensor x = numbers({kSamples, 3}), y = numbers({kSamples, 1});
  const ModelCheckpoint save(folder / "{epoch}-{batch}.weights.h5",
                             {.save_weights_only = true, .save_freq = 4});
  model.fit(x, y, {.epochs = 3, .batch_size = 2, .verbose = 0, .callbacks = {save}});
  // Batches 4 and 8 of 9.
  EXPECT_THAT(folder.names(), ElementsAre("2-1.weights.h5", "3-2.weights.h5"));
  Sequential other = toy_model();
  other.load_weights(folder / "3-2.weights.h5");
  EXPECT_NE(other.weights()[0].value().to_vector(), model.weights()[0].value().to_vector());
}

TEST(ModelCheckpoint, SavesTheBestAsKerasDoes) {
  for (const GoldenCase& golden : testing::read_goldens("callbacks")) {
    if (!golden.name().starts_with("checkpoint_")) continue;
    SCOPED_TRACE(golden.name());
    const Folder folder;
    ModelCheckpointOptions options{.monitor = golden.text("monitor"),
                                   .save_best_only = true,
                                   .mode = golden.text("mode", "auto")};
    if (golden.has("initial_value_threshold"))
      options.initial_value_threshold = golden.number("initial_value_threshold", 0);
    ModelCheckpoint callback(folder / "m.keras", options);
    Sequential model = toy_model();
    TrainingState state(model);
    for (const double value : golden.values("values")) {
      state.set_logs({{"loss", 1}, {options.monitor, value}});
      callback.on_epoch_end(state);
      EXPECT_EQ(folder.names().size(), golden.values("saved")[static_cast<size_t>(state.epoch)])
          << "epoch " << state.epoch;
      folder.clear();
      ++state.epoch;
    }
  }
}

TEST(ModelCheckpoint, TellsWhatItDoes) {
  const Folder folder;
  Sequential model = toy_model();
  TrainingState state(model);
  ModelCheckpoint callback(folder / "m.h5", {.verbose = 1, .save_best_only = true});
  ::testing::internal::CaptureStdout();
  for (const double value : {0.5, 0.25, 0.75}) {
    state.set_logs({{"val_loss", value}});
    callback.on_epoch_end(state);
    ++state.epoch;
  }
  state.print_said();
  EXPECT_EQ(::testing::internal::GetCapturedStdout(),
            "Epoch 1: val_loss improved from none to 0.50000, saving the model to " +
                (folder / "m.h5") +
                "\nEpoch 2: val_loss improved from 0.50000 to 0.25000, saving the model to " +
                (folder / "m.h5") + "\nEpoch 3: val_loss did not improve from 0.25000\n");
}

TEST(ModelCheckpoint, RefusesNamesThatCannotWork) {
  EXPECT_EQ(message_of([] { ModelCheckpoint("model.pt"); }),
            "ModelCheckpoint: the file name must end in .keras or .h5, found 'model.pt'");
  EXPECT_EQ(message_of([] { ModelCheckpoint("m.keras", {.save_weights_only = true}); }),
            "ModelCheckpoint: the file name must end in .weights.h5, found 'm.keras'");
  EXPECT_EQ(message_of([] { SaveFrequency("batch"); }),
            "ModelCheckpoint: save_freq must be \"epoch\" or a number of batches, found 'batch'");
  const Logs logs = {{"loss", 0.5}};
  const auto fill = [&](const std::string& pattern) {
    return message_of([&] { fill_file_pattern(pattern, 0, std::nullopt, logs); });
  };
  EXPECT_EQ(fill("{val_loss:.2f}.keras"),
            "ModelCheckpoint: in the file name '{val_loss:.2f}.keras' 'val_loss' is not known "
            "(known: epoch, loss)");
  EXPECT_EQ(fill("{epoch:>3}.keras"),
            "ModelCheckpoint: in the file name '{epoch:>3}.keras' the format '>3' does not fit its "
            "number");
  EXPECT_EQ(fill("{loss:d}.keras"),
            "ModelCheckpoint: in the file name '{loss:d}.keras' the format 'd' does not fit its "
            "number");
  EXPECT_EQ(fill("{epoch.keras"),
            "ModelCheckpoint: in the file name '{epoch.keras' a brace '{' has no partner; double "
            "it to mean the character");
}

}  // namespace
}  // namespace plimsoll
