#include "plimsoll/train/reduce/reduce.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>

#include "plimsoll/nn/clock.h"
#include "plimsoll/nn/layers/dense.h"
#include "plimsoll/nn/layers/dropout.h"
#include "plimsoll/nn/networks/input.h"
#include "plimsoll/nn/optimizers/sgd.h"
#include "plimsoll/train/files/model_file.h"
#include "plimsoll/train/reduce/case_folder.h"
#include "tests/support/messages.h"
#include "tests/support/temporary_folder.h"

namespace plimsoll {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::message_of;

constexpr int64_t kRecords = 200;

std::vector<float> inputs() {
  std::vector<float> x;
  for (int64_t i = 0; i < kRecords * 3; ++i) x.push_back(std::sin(static_cast<float>(i * i % 911)));
  return x;
}

std::vector<float> targets(const std::vector<float>& x) {
  std::vector<float> y;
  for (size_t i = 0; i < x.size(); i += 3) y.push_back(x[i] - x[i + 1]);
  return y;
}

Dataset data_of(const std::vector<float>& x) {
  return {constant(x, {kRecords, 3}), constant(targets(inputs()), {kRecords, 1})};
}

Sequential net(const char* activation, double rate) {
  Sequential model({InputLayer({.shape = {3}}),
                    Dense({.units = 16, .activation = "relu", .name = "wide"}),
                    Dropout({.rate = 0.1, .name = "drop"}),
                    Dense({.units = 8, .activation = activation, .name = "middle"}),
                    Dense({.units = 1, .name = "head"})});
  model.compile({.optimizer = SGD({.learning_rate = rate}), .loss = "mse"});
  return model;
}

TEST(Reduce, FindsTheRecordThatMakesANumberInfinite) {
  std::vector<float> x = inputs();
  x[3 * 137 + 1] = 1e6f;
  const Sequential model = net("exponential", 1e-4);
  const ReducedCase found = reduce(model, data_of(x), {.fit = {.seed = 3}});
  EXPECT_EQ(found.failure.kind, Failure::Kind::not_finite);
  EXPECT_EQ(found.failure.cause, "exp");
  EXPECT_THAT(found.record_names, ElementsAre("137"));
  EXPECT_LE(found.size.layers, 3);
  EXPECT_EQ(found.from.layers, 4);
  EXPECT_TRUE(found.is_minimal);
}

TEST(Reduce, FindsTheRecordThatIsRefused) {
  std::vector<float> x = inputs();
  x[3 * 42] = std::numeric_limits<float>::infinity();
  const Sequential model = net("tanh", 0.01);
  const ReducedCase found = reduce(model, data_of(x), {});
  EXPECT_EQ(found.failure.kind, Failure::Kind::bad_record);
  EXPECT_EQ(found.failure.cause, "not_finite");
  EXPECT_THAT(found.record_names, ElementsAre("42"));
  EXPECT_EQ(found.size.layers, 1);
}

TEST(Reduce, TrainsUpToTheStepInWhichALearningRateExplodes) {
  const Sequential model = net("relu", 1e5);
  const ReducedCase found = reduce(model, data_of(inputs()), {.fit = {.epochs = 4, .seed = 1}});
  EXPECT_EQ(found.failure.kind, Failure::Kind::not_finite);
  EXPECT_LE(found.size.records, 3);
  EXPECT_LE(found.size.layers, 3);
  EXPECT_EQ(found.epochs, found.failure.epoch);
}

// The doctor sees it before any training, so the case is not trained.
TEST(Reduce, KeepsTheCauseThatTheDoctorNames) {
  Sequential model({InputLayer({.shape = {3}}), Dense({.units = 16, .activation = "relu"}),
                    Dense({.units = 1, .activation = "softmax"})});
  model.compile({.optimizer = SGD({.learning_rate = 0.01}), .loss = "mse"});
  const ReducedCase found = reduce(model, data_of(inputs()), {.fit = {.epochs = 2, .seed = 1}});
  EXPECT_EQ(found.failure.kind, Failure::Kind::diagnosis);
  EXPECT_EQ(found.failure.cause, "output_activation");
  EXPECT_FALSE(found.is_trained);
  EXPECT_EQ(commands_of(found)[0][0], "doctor");
  EXPECT_LE(found.size.records, 3);
  EXPECT_EQ(found.size.layers, 1);
}

TEST(Reduce, RefusesOverfittingWhichOnlyAValidationShows) {
  const TemporaryFolder folder;
  std::ofstream(folder.path("run.json"))
      << R"({"options": {"batch_size": 32, "epochs": 20}, "result": {"status": "done"}})";
  std::ofstream log(folder.path("log.jsonl"));
  for (int epoch = 1; epoch <= 20; ++epoch)
    log << R"({"event": "epoch", "samples": 200, "metrics": {"loss": )" << 0.5 / epoch
        << R"(, "val_loss": )" << (epoch < 5 ? 1.0 / epoch : 0.3 * epoch) << "}}\n";
  log.close();
  const Sequential model = net("relu", 0.01);
  EXPECT_THAT(
      message_of([&] { reduce(model, data_of(inputs()), {.run = folder.path().string()}); }),
      HasSubstr("the cause 'overfitting', shows in the records of the validation"));
}

TEST(Reduce, RefusesWhatIsSound) {
  const Sequential model = net("tanh", 0.1);
  EXPECT_THROW(reduce(model, data_of(inputs()), {.fit = {.epochs = 60}}), NothingFails);
}

TEST(Reduce, GivesTheSameCaseForTheSameSeedAndLeavesTheModelAlone) {
  const Sequential model = net("exponential", 1e-4);
  std::vector<float> x = inputs();
  x[3 * 77 + 1] = 1e6f;
  x[3 * 78 + 1] = 1e6f;
  set_random_seed(11);
  const std::vector<float> before = model.weights()[0].value().to_vector();
  const ReducedCase one = reduce(model, data_of(x), {.fit = {.seed = 5}});
  const ReducedCase two = reduce(model, data_of(x), {.fit = {.seed = 5}});
  EXPECT_EQ(case_json(one), case_json(two));
  EXPECT_EQ(model.weights()[0].value().to_vector(), before);
  EXPECT_EQ(random_seed(), 11);
}

TEST(Reduce, EndsWithTheBestSoFarWhenItIsStopped) {
  std::vector<float> x = inputs();
  x[3 * 137 + 1] = 1e6f;
  const Sequential model = net("exponential", 1e-4);
  bool is_stopped = false;
  ReduceOptions options{.is_stopped = [&] { return is_stopped; }};
  options.on_progress = [&](const ReduceProgress& now) { is_stopped = now.trying == "layers"; };
  const ReducedCase found = reduce(model, data_of(x), options);
  EXPECT_FALSE(found.is_minimal);
  EXPECT_THAT(found.record_names, ElementsAre("137"));
  EXPECT_EQ(found.size.layers, 4);
}

TEST(Reduce, WritesAFolderThatFailsAgain) {
  const TemporaryFolder scratch;
  std::vector<float> x = inputs();
  x[3 * 137 + 1] = 1e6f;
  const Sequential model = net("exponential", 1e-4);
  const ReducedCase found = reduce(model, data_of(x), {});
  const std::string folder = scratch.path("case");
  write_case(found, folder);
  for (const char* file :
       {"model.keras", "data.npz", "case.json", "run_plimsoll.sh", "run_keras.py", "README.md"})
    EXPECT_TRUE(std::filesystem::exists(folder + "/" + file)) << file;
  EXPECT_TRUE(load_model(folder + "/model.keras").compiled);
  const std::string text = bytes_of(folder + "/README.md");
  EXPECT_THAT(text, HasSubstr("plimsoll train model.keras data.npz"));
  EXPECT_THAT(text, HasSubstr("1. `137`"));
  EXPECT_THAT(message_of([&] { write_case(found, folder); }), HasSubstr("exists already"));
}

TEST(Reduce, LeavesNothingBehindWhereTheCaseDoesNotFail) {
  const TemporaryFolder scratch;
  std::vector<float> x = inputs();
  x[3 * 42] = std::numeric_limits<float>::infinity();
  ReducedCase found = reduce(net("tanh", 0.01), data_of(x), {});
  reinterpret_cast<float*>(found.fields[0].storage->data())[0] = 0;
  EXPECT_THAT(message_of([&] { write_case(found, scratch.path("case")); }),
              HasSubstr("does not fail any more"));
  EXPECT_EQ(scratch.count(), 0u);
}

}  // namespace
}  // namespace plimsoll
