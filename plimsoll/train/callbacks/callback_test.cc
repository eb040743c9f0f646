#include "plimsoll/train/callbacks/callback.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "plimsoll/plimsoll.h"
#include "tests/support/messages.h"

namespace plimsoll {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::message_of;
using ::testing::SizeIs;
using ::testing::ThrowsMessage;

constexpr int64_t kSamples = 6;

Tensor numbers(const Shape& shape, float step = 0.37f) {
  std::vector<float> values;
  for (int64_t i = 0; i < shape.elements(); ++i)
    values.push_back(std::sin(static_cast<float>(i) * step));
  return constant(values, shape);
}

Sequential toy_model() {
  reset_names();
  Sequential model({InputLayer({.shape = {3}}), Dense({.units = 1})});
  model.compile({.optimizer = SGD({.learning_rate = 0.1}), .loss = "mse", .metrics = {"mae"}});
  return model;
}

// Writes down every hook.
struct Diary final : Callback {
  explicit Diary(std::vector<std::string>& lines_in) : lines(lines_in) {}
  void add(const char* what, TrainingState& state, bool with_batch = false) {
    lines.push_back(what + std::string(" ") + std::to_string(state.epoch) +
                    (with_batch ? "." + std::to_string(state.batch) : ""));
  }
  void on_train_begin(TrainingState& s) override { add("train begin", s); }
  void on_train_end(TrainingState& s) override { add("train end", s); }
  void on_epoch_begin(TrainingState& s) override { add("epoch begin", s); }
  void on_epoch_end(TrainingState& s) override { add("epoch end", s); }
  void on_train_batch_begin(TrainingState& s) override { add("batch begin", s, true); }
  void on_train_batch_end(TrainingState& s) override { add("batch end", s, true); }
  void on_test_begin(TrainingState& s) override { add("test begin", s); }
  void on_test_end(TrainingState& s) override { add("test end", s); }
  void on_test_batch_end(TrainingState& s) override { add("test batch end", s, true); }
  void on_predict_begin(TrainingState& s) override { add("predict begin", s); }
  void on_predict_batch_end(TrainingState& s) override { add("predict batch end", s, true); }
  void on_predict_end(TrainingState& s) override { add("predict end", s); }
  std::vector<std::string>& lines;
};

TEST(Callback, IsCalledAtEachTurn) {
  const Tensor x = numbers({kSamples, 3}), y = numbers({kSamples, 1});
  Sequential model = toy_model();
  std::vector<std::string> lines;
  model.fit(x, y,
            {.epochs = 1,
             .batch_size = 2,
             .validation_split = 0.34,
             .verbose = 0,
             .callbacks = {Diary(lines)}});
  EXPECT_THAT(lines,
              ElementsAre("train begin 0", "epoch begin 0", "batch begin 0.0", "batch end 0.0",
                          "batch begin 0.1", "batch end 0.1", "test begin 0", "test batch end 0.0",
                          "test batch end 0.1", "test end 0", "epoch end 0", "train end 0"));
  lines.clear();
  model.evaluate(x, y, {.steps = 1, .callbacks = {Diary(lines)}});
  model.predict(x, {.batch_size = 4, .callbacks = {Diary(lines)}});
  EXPECT_THAT(lines,
              ElementsAre("test begin 0", "test batch end 0.0", "test end 0", "predict begin 0",
                          "predict batch end 0.0", "predict batch end 0.1", "predict end 0"));
}

TEST(Callback, SeesTheLogsAndAddsToThem) {
  const Tensor x = numbers({kSamples, 3}), y = numbers({kSamples, 1});
  Sequential model = toy_model();
  std::vector<double> losses;
  const LambdaCallback watch({.on_epoch_end =
                                  [&](TrainingState& state) {
                                    losses.push_back(state.logs().at("loss"));
                                    EXPECT_EQ(state.logs().count("val_mae"), 1u);
                                    state.logs()["twice"] = 2 * losses.back();
                                  },
                              .on_train_batch_end =
                                  [&](TrainingState& state) {
                                    EXPECT_GT(state.logs().at("loss"), 0);
                                    EXPECT_EQ(state.logs().count("val_mae"), 0u);
                                    EXPECT_EQ(state.batches, 2);
                                  }});
  const History history = model.fit(
      x, y,
      {.epochs = 3, .batch_size = 2, .validation_split = 0.34, .verbose = 0, .callbacks = {watch}});
  EXPECT_EQ(history.epochs.at("loss"), losses);
  EXPECT_DOUBLE_EQ(history.epochs.at("twice")[2], 2 * losses[2]);
}

TEST(Callback, StopsTrainingAfterABatch) {
  const Tensor x = numbers({kSamples, 3}), y = numbers({kSamples, 1});
  Sequential model = toy_model();
  int batches = 0;
  const LambdaCallback stop({.on_train_batch_end = [&](TrainingState& state) {
    ++batches;
    state.stop_training = state.epoch == 1;
  }});
  const FitOptions options{.epochs = 5, .batch_size = 2, .verbose = 0, .callbacks = {stop}};
  EXPECT_THAT(model.fit(x, y, options).epoch, ElementsAre(0, 1));
  EXPECT_EQ(batches, 3 + 1);
  EXPECT_THAT(model.fit(x, y, {.epochs = 2, .verbose = 0}).epoch, SizeIs(2));
}

TEST(Callback, ChangesTheLearningRateAndSeesMemoryByItsKind) {
  const Tensor x = numbers({kSamples, 3}), y = numbers({kSamples, 1});
  Sequential model = toy_model();
  MemoryUse memory;
  const LambdaCallback callback({.on_epoch_end = [&](TrainingState& state) {
    state.set_learning_rate(state.learning_rate() / 2);
    memory = state.memory();
  }});
  const History history = model.fit(x, y, {.epochs = 2, .verbose = 0, .callbacks = {callback}});
  EXPECT_FLOAT_EQ(static_cast<float>(model.optimizer()->current_learning_rate()), 0.025f);
  EXPECT_EQ(memory.planned_peak_bytes, history.memory.peak_bytes);
  EXPECT_EQ(memory.weight_bytes, 4 * 4);
  EXPECT_GE(memory.arena_bytes, history.memory.arena_bytes);
  EXPECT_GE(memory.peak_resident_bytes, memory.resident_bytes);
  EXPECT_GT(memory.resident_bytes, 0);
}

TEST(Callback, GetsTheOutputsOfAPrediction) {
  const Tensor x = numbers({kSamples, 3});
  Sequential model = toy_model();
  std::vector<float> seen;
  const LambdaCallback keep({.on_predict_batch_end = [&](TrainingState& state) {
    for (const float value : state.outputs.at(0).to_vector()) seen.push_back(value);
  }});
  EXPECT_EQ(model.predict(x, {.batch_size = 4, .callbacks = {keep}}).to_vector(), seen);
}

TEST(Callback, MayCompileTheModelAnew) {
  const Tensor x = numbers({kSamples, 3}), y = numbers({kSamples, 1});
  Sequential model = toy_model();
  const LambdaCallback again({.on_train_batch_end = [](TrainingState& state) {
    state.model.compile({.optimizer = "sgd", .loss = "mae"});
    EXPECT_GT(state.logs().at("mae"), 0);
  }});
  EXPECT_THAT(model.fit(x, y, {.epochs = 2, .verbose = 0, .callbacks = {again}}).epoch, SizeIs(2));
}

TEST(LearningRateScheduler, SetsTheRateOfEachEpochAndLogsIt) {
  const Tensor x = numbers({kSamples, 3}), y = numbers({kSamples, 1});
  Sequential model = toy_model();
  const LearningRateScheduler halves(
      [](int64_t epoch, double rate) { return epoch < 2 ? rate : rate * 0.5; });
  const History history = model.fit(x, y, {.epochs = 4, .verbose = 0, .callbacks = {halves}});
  const std::vector<double>& rates = history.epochs.at("learning_rate");
  ASSERT_THAT(rates, SizeIs(4));
  const double expected[] = {0.1, 0.1, 0.05, 0.025};
  for (size_t i = 0; i < 4; ++i) EXPECT_NEAR(rates[i], expected[i], 1e-8);
  const LearningRateScheduler bad([](int64_t, double) { return -1.0; });
  EXPECT_THAT([&] { model.fit(x, y, {.verbose = 0, .callbacks = {bad}}); },
              ThrowsMessage<InvalidArgument>(HasSubstr("LearningRateScheduler")));
}

TEST(TerminateOnNaN, StopsWithoutAnErrorAndWithTheWeightsAsTheyWere) {
  std::vector<float> values = numbers({kSamples, 3}).to_vector();
  values[13] = std::numeric_limits<float>::infinity();
  const Tensor x = constant(values, {kSamples, 3}), y = numbers({kSamples, 1});
  Sequential model = toy_model();
  FitOptions plain{.epochs = 3, .batch_size = 2, .shuffle = false, .verbose = 0};
  EXPECT_THAT([&] { model.fit(x, y, plain); },
              ThrowsMessage<CorruptFile>(HasSubstr("4: column 1 of 'x' is infinite")));
  plain.reading.allow_not_finite = true;
  EXPECT_THROW(model.fit(x, y, plain), NotFinite);
  const std::vector<float> before = model.weights()[0].value().to_vector();
  FitOptions options = plain;
  options.callbacks = {TerminateOnNaN()};
  ::testing::internal::CaptureStdout();
  const History history = model.fit(x, y, options);
  EXPECT_THAT(::testing::internal::GetCapturedStdout(),
              AllOf(HasSubstr("Batch 2: training stops"), HasSubstr("records 4, 5")));
  EXPECT_THAT(history.epochs.at("loss"), SizeIs(1));
  EXPECT_TRUE(std::isnan(history.epochs.at("loss")[0]));
  for (const float weight : model.weights()[0].value().to_vector())
    EXPECT_TRUE(std::isfinite(weight));
  EXPECT_NE(model.weights()[0].value().to_vector(), before);  // the batches before it counted
}

TEST(EarlyStopping, RestoresTheBestWeightsAndCountsTheirCopyInThePlan) {
  const Tensor x = numbers({kSamples, 3}), y = numbers({kSamples, 1});
  Sequential model = toy_model();
  std::vector<std::vector<float>> weights;
  const auto stop = std::make_shared<EarlyStopping>(EarlyStoppingOptions{
      .monitor = "wanted", .patience = 2, .mode = "min", .restore_best_weights = true});
  // Best in epoch 1, whatever the loss is.
  const LambdaCallback fake({.on_epoch_end = [&](TrainingState& state) {
    state.logs()["wanted"] = std::abs(static_cast<double>(state.epoch) - 1);
    weights.push_back(state.model.weights()[0].value().to_vector());
  }});
  const History history = model.fit(x, y, {.epochs = 9, .verbose = 0, .callbacks = {fake, stop}});
  EXPECT_THAT(history.epoch, ElementsAre(0, 1, 2, 3));
  EXPECT_EQ(stop->stopped_epoch(), 3);
  EXPECT_EQ(stop->best_epoch(), 1);
  EXPECT_EQ(model.weights()[0].value().to_vector(), weights[1]);
  EXPECT_NE(weights[1], weights[3]);
  EXPECT_GE(history.memory.callback_bytes, 4 * 4);
}

TEST(Monitor, SaysWhatIsMissing) {
  const Tensor x = numbers({kSamples, 3}), y = numbers({kSamples, 1});
  Sequential model = toy_model();
  ::testing::internal::CaptureStderr();
  model.fit(x, y, {.verbose = 0, .callbacks = {EarlyStopping({.monitor = "val_loss"})}});
  EXPECT_EQ(::testing::internal::GetCapturedStderr(),
            "EarlyStopping: 'val_loss' is not in the logs (there are loss, mae)\n");
  EXPECT_EQ(message_of([] { EarlyStopping({.mode = "least"}); }),
            "EarlyStopping: mode must be auto, min or max, found 'least'");
  const LambdaCallback strange(
      {.on_epoch_end = [](TrainingState& state) { state.logs()["strange"] = 1; }});
  EXPECT_EQ(message_of([&] {
              model.fit(
                  x, y,
                  {.verbose = 0, .callbacks = {strange, EarlyStopping({.monitor = "strange"})}});
            }),
            "EarlyStopping: whether 'strange' should rise or fall is not known; pass mode \"max\" "
            "or \"min\"");
}

}  // namespace
}  // namespace plimsoll
