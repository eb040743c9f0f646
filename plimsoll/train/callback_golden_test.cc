// The callbacks that decide, against real Keras: the same numbers, the same decisions.
#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>
#include <limits>
#include <sstream>

#include "plimsoll/nn/layers/dense.h"
#include "plimsoll/nn/networks/input.h"
#include "plimsoll/nn/optimizers/sgd.h"
#include "plimsoll/train/callbacks/csv_logger.h"
#include "plimsoll/train/callbacks/early_stopping.h"
#include "plimsoll/train/callbacks/reduce_lr_on_plateau.h"
#include "plimsoll/train/files/file_pattern.h"
#include "plimsoll/train/model.h"
#include "tests/support/golden.h"

namespace plimsoll {
namespace {

using testing::GoldenCase;

Sequential toy_model() {
  Sequential model({InputLayer({.shape = {2}}), Dense({.units = 1})});
  model.compile(
      {.optimizer = SGD({.learning_rate = 0.1}), .loss = "mse", .metrics = {"accuracy", "mae"}});
  return model;
}

std::vector<GoldenCase> cases_of(const std::string& callback, const std::string& prefix = "") {
  std::vector<GoldenCase> some;
  for (const GoldenCase& golden : testing::read_goldens("callbacks"))
    if (golden.text("callback") == callback && golden.name().starts_with(prefix))
      some.push_back(golden);
  EXPECT_FALSE(some.empty());
  return some;
}

std::vector<double> values_of(const GoldenCase& golden) {
  std::vector<double> values = golden.values("values");
  for (const int64_t at : golden.numbers("nan_at"))
    values[static_cast<size_t>(at)] = std::numeric_limits<double>::quiet_NaN();
  return values;
}

int64_t whole(const GoldenCase& golden, const char* key, int64_t fallback) {
  return static_cast<int64_t>(golden.number(key, static_cast<double>(fallback)));
}

TEST(CallbackGolden, OfEarlyStopping) {
  for (const GoldenCase& golden : cases_of("EarlyStopping")) {
    SCOPED_TRACE(golden.name());
    EarlyStoppingOptions options{.monitor = golden.text("monitor"),
                                 .min_delta = golden.number("min_delta", 0),
                                 .patience = whole(golden, "patience", 0),
                                 .mode = golden.text("mode", "auto"),
                                 .start_from_epoch = whole(golden, "start_from_epoch", 0)};
    if (golden.has("baseline")) options.baseline = golden.number("baseline", 0);
    EarlyStopping callback(options);
    Sequential model = toy_model();
    TrainingState state(model);
    callback.on_train_begin(state);
    int64_t stopped = 0;
    for (const double value : values_of(golden)) {
      state.set_logs({{"loss", 1}, {options.monitor, value}});
      callback.on_epoch_end(state);
      ++state.epoch;
      if (state.stop_training) {
        stopped = state.epoch;
        break;
      }
    }
    EXPECT_EQ(stopped, static_cast<int64_t>(golden.values("stopped")[0]));
    EXPECT_EQ(callback.best_epoch(), static_cast<int64_t>(golden.values("best")[0]));
  }
}

TEST(CallbackGolden, OfReduceLROnPlateau) {
  for (const GoldenCase& golden : cases_of("ReduceLROnPlateau")) {
    SCOPED_TRACE(golden.name());
    ReduceLROnPlateau callback({.monitor = golden.text("monitor"),
                                .factor = golden.number("factor", 0.1),
                                .patience = whole(golden, "patience", 10),
                                .min_delta = golden.number("min_delta", 1e-4),
                                .cooldown = whole(golden, "cooldown", 0),
                                .min_lr = golden.number("min_lr", 0)});
    Sequential model = toy_model();
    TrainingState state(model);
    callback.on_train_begin(state);
    for (const double value : values_of(golden)) {
      state.set_logs({{"loss", 1}, {golden.text("monitor"), value}});
      const double before = state.learning_rate();
      callback.on_epoch_end(state);
      EXPECT_EQ(state.logs().at("learning_rate"), before);
      const double expected = golden.values("rates")[static_cast<size_t>(state.epoch)];
      EXPECT_NEAR(state.learning_rate(), expected, 1e-6 * expected) << "epoch " << state.epoch;
      ++state.epoch;
    }
  }
}

TEST(CallbackGolden, OfFileNames) {
  for (const GoldenCase& golden : cases_of("ModelCheckpoint", "file_name_")) {
    SCOPED_TRACE(golden.name());
    Logs logs;
    const std::vector<std::string> names = golden.words("logs");
    for (size_t i = 0; i < names.size(); ++i) logs[names[i]] = golden.values("values")[i];
    std::optional<int64_t> batch;
    if (golden.has("batch")) batch = whole(golden, "batch", 0);
    EXPECT_EQ(fill_file_pattern(golden.text("pattern"), whole(golden, "epoch", 0), batch, logs),
              golden.text("path"));
  }
}

std::string read_all(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

TEST(CallbackGolden, OfCSVLogger) {
  const std::string path = ::testing::TempDir() + "callback_golden.csv";
  for (const GoldenCase& golden : cases_of("CSVLogger")) {
    SCOPED_TRACE(golden.name());
    CSVLogger callback(path, {.separator = golden.text("separator", ",")});
    Sequential model = toy_model();
    TrainingState state(model);
    callback.on_train_begin(state);
    for (; golden.has("row." + std::to_string(state.epoch)); ++state.epoch) {
      Logs logs;
      for (const std::string& word : golden.words("row." + std::to_string(state.epoch)))
        logs[word.substr(0, word.find('='))] = std::stod(word.substr(word.find('=') + 1));
      state.set_logs(logs);
      callback.on_epoch_end(state);
    }
    callback.on_train_end(state);
    std::string expected;
    for (int64_t i = 0; i < whole(golden, "lines", 0); ++i)
      expected += golden.text("line." + std::to_string(i)) + "\r\n";
    EXPECT_EQ(read_all(path), expected);
  }
  std::remove(path.c_str());
}

TEST(CSVLogger, AppendsWithoutASecondHeader) {
  const std::string path = ::testing::TempDir() + "csv_logger_append.csv";
  std::remove(path.c_str());
  Sequential model = toy_model();
  TrainingState state(model);
  for (int run = 0; run < 2; ++run) {
    CSVLogger callback(path, {.append = true});
    callback.on_train_begin(state);
    state.set_logs({{"loss", 0.5}, {"val_loss", 0.25}});
    callback.on_epoch_end(state);
    callback.on_train_end(state);
    ++state.epoch;
  }
  EXPECT_EQ(read_all(path), "epoch,loss,val_loss\r\n0,0.5,0.25\r\n1,0.5,0.25\r\n");
  std::remove(path.c_str());
  CSVLogger nowhere("/no/such/folder/log.csv");
  EXPECT_THROW(nowhere.on_train_begin(state), IoError);
}

}  // namespace
}  // namespace plimsoll
