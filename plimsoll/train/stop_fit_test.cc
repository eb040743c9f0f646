// A run of fit that a signal or its time ends in good order, and goes on.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>
#include <filesystem>

#include "plimsoll/plimsoll.h"
#include "tests/support/resumed_run.h"
#include "tests/support/temporary_folder.h"

namespace plimsoll {
namespace {

using resumed::Case;
using resumed::expect_equal;
using resumed::plain;
using resumed::Result;
using resumed::run;
using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

// Of `plain`.
constexpr int64_t kStepsPerEpoch = 4, kEpochs = 3;

bool has_handler(int number) {
  struct sigaction now = {};
  sigaction(number, nullptr, &now);
  return now.sa_handler != SIG_DFL;
}

// A run that takes signals, and gets this one after so many steps; after none if `step` is 0.
Case signalled(int number, int64_t step) {
  Case of = plain();
  of.options.checkpoints.takes_signals = true;
  of.options.checkpoints.keep = 100;
  of.callbacks = [number, step] {
    return Callbacks{
        LambdaCallback({.on_train_batch_end = [number, step, done = int64_t{0}](auto&) mutable {
          if (++done == step) std::raise(number);
        }})};
  };
  return of;
}

std::string run_json(const std::string& folder) {
  return bytes_of(folder + "/run.json");
}

bool has_checkpoint(const std::string& folder, int64_t step) {
  return std::filesystem::exists(CheckpointFolder(folder + "/checkpoints").path_of(step));
}

// Signals do what they do in a process that inherits nothing: nohup, for one, ignores SIGHUP.
class StopFit : public testing::Test {
 protected:
  StopFit() { use_defaults(); }
  ~StopFit() override { use_defaults(); }

 private:
  static void use_defaults() {
    for (const int number : {SIGINT, SIGTERM, SIGHUP, SIGUSR1}) std::signal(number, SIG_DFL);
  }
};

TEST_F(StopFit, ASignalEndsTheRunWithACheckpointFromWhichItGoesOn) {
  const TemporaryFolder folder;
  Result whole;
  run(signalled(SIGTERM, 0), folder.path("whole"), std::nullopt, whole);
  for (const int number : {SIGTERM, SIGHUP}) {
    Result result;
    const std::string place = folder.path(std::to_string(number));
    try {
      run(signalled(number, 6), place, std::nullopt, result);
      ADD_FAILURE() << "the run was not stopped";
    } catch (const Stopped& stopped) {
      EXPECT_EQ(stopped.signal(), number);
      EXPECT_THAT(run_json(place), HasSubstr(stopped.what()));
    }
    EXPECT_TRUE(has_checkpoint(place, 6));
    EXPECT_THAT(run_json(place), HasSubstr("\"status\": \"stopped\""));
    EXPECT_FALSE(has_handler(number));
    run(signalled(number, 0), place, std::nullopt, result);
    expect_equal(result, whole, "after a signal");
  }
}

TEST_F(StopFit, AWishForACheckpointIsFulfilledAndTheRunGoesOn) {
  const TemporaryFolder folder;
  Result result;
  run(signalled(SIGUSR1, 6), folder.path("run"), std::nullopt, result);
  EXPECT_EQ(result.steps, kStepsPerEpoch * kEpochs);
  EXPECT_TRUE(has_checkpoint(folder.path("run"), 6));
}

TEST_F(StopFit, HandlersAreTakenOnlyWhileTheRunGoesOnAndOnlyIfItIsToTakeThem) {
  const TemporaryFolder folder;
  for (const bool takes : {true, false}) {
    Case of = plain();
    of.options.checkpoints.takes_signals = takes;
    of.callbacks = [takes] {
      return Callbacks{LambdaCallback({.on_train_begin = [takes](TrainingState&) {
        for (const int number : {SIGTERM, SIGHUP, SIGUSR1})
          EXPECT_EQ(has_handler(number), takes) << number;
        EXPECT_FALSE(has_handler(SIGINT));
      }})};
    };
    Result result;
    run(of, folder.path(takes ? "with" : "without"), std::nullopt, result);
    for (const int number : {SIGTERM, SIGHUP, SIGUSR1}) EXPECT_FALSE(has_handler(number)) << number;
  }
}

TEST_F(StopFit, ARunThatFailsPutsHandlersBack) {
  const TemporaryFolder folder;
  Case of = plain();
  of.options.checkpoints.takes_signals = true;
  of.callbacks = [] {
    return Callbacks{LambdaCallback({.on_train_batch_end = [](TrainingState&) {
      EXPECT_TRUE(has_handler(SIGTERM));
      throw std::runtime_error("out of luck");
    }})};
  };
  Result result;
  EXPECT_THROW(run(of, folder.path("run"), std::nullopt, result), std::runtime_error);
  EXPECT_FALSE(has_handler(SIGTERM));
}

// Each process has time for one batch, or for a validation that was begun.
TEST_F(StopFit, ARunWithoutTimeForItsValidationGetsOn) {
  const TemporaryFolder folder;
  Case of = plain();
  of.options.validation_split = 0.5;
  of.options.epochs = 2;
  Result whole, result;
  run(of, folder.path("whole"), std::nullopt, whole);
  of.options.max_time = "0s";
  int tries = 0;
  for (bool is_done = false; !is_done;) {
    ASSERT_LT(++tries, 30);
    result = {};
    try {
      run(of, folder.path("run"), std::nullopt, result);
      is_done = true;
    } catch (const OutOfTime&) {
    }
  }
  expect_equal(result, whole, "in processes without time");
}

// Without fit, it would have ended the program.
TEST_F(StopFit, ASignalAfterTheLastBatchIsNotLost) {
  const TemporaryFolder folder;
  Case of = plain();
  of.options.checkpoints.takes_signals = true;
  of.callbacks = [] {
    return Callbacks{LambdaCallback({.on_train_end = [](TrainingState&) { std::raise(SIGTERM); }})};
  };
  Result result;
  EXPECT_THROW(run(of, folder.path("run"), std::nullopt, result), Stopped);
  EXPECT_THAT(run_json(folder.path("run")), HasSubstr("\"status\": \"done\""));
}

TEST_F(StopFit, ARunWhoseTimeIsOverGoesOnUntilItIsDone) {
  const TemporaryFolder folder;
  Result whole, result;
  run(plain(), folder.path("whole"), std::nullopt, whole);
  Case of = plain();
  of.options.max_time = "0s";
  int64_t stops = 0;
  for (bool is_done = false; !is_done && stops < 100;) {
    try {
      run(of, folder.path("run"), std::nullopt, result);
      is_done = true;
    } catch (const OutOfTime& over) {
      ++stops;
      EXPECT_THAT(run_json(folder.path("run")), HasSubstr(over.what()));
    }
  }
  // Once after each batch and once at the end of each epoch.
  EXPECT_EQ(stops, (kStepsPerEpoch + 1) * kEpochs);
  expect_equal(result, whole, "a batch per run");
}

TEST_F(StopFit, ATimeThatIsLongEnoughChangesNothing) {
  const TemporaryFolder folder;
  Case of = plain();
  of.options.max_time = "11h";
  Result result;
  run(of, folder.path("run"), std::nullopt, result);
  EXPECT_EQ(result.steps, kStepsPerEpoch * kEpochs);
}

TEST_F(StopFit, ATimeIsRefusedThatIsNone) {
  Case of = plain();
  of.options.max_time = "tomorrow";
  const TemporaryFolder folder;
  Result result;
  EXPECT_THAT([&] { run(of, folder.path("run"), std::nullopt, result); },
              ThrowsMessage<InvalidArgument>(
                  HasSubstr("max_time must be a time such as 90s, 30m or 11h, found 'tomorrow'")));
}

}  // namespace
}  // namespace plimsoll
