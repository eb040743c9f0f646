// Which checkpoints of a run of fit stay in its folder, and which one it goes on from.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "plimsoll/base/report_finding.h"
#include "plimsoll/plimsoll.h"
#include "tests/support/temporary_folder.h"

namespace plimsoll {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Le;

constexpr int64_t kRecords = 26, kBatch = 8, kSteps = 4;

Dataset numbers(float phase = 0) {
  std::vector<float> x, y;
  for (int i = 0; i < kRecords * 4; ++i) x.push_back(std::sin(static_cast<float>(i) + phase));
  for (int i = 0; i < kRecords; ++i) y.push_back(std::cos(static_cast<float>(i)));
  return {constant(x, {kRecords, 4}), constant(y, {kRecords, 1})};
}

Sequential regression() {
  reset_names();
  set_random_seed(5);
  Sequential model({Dense({.units = 6, .activation = "tanh"}), Dense({.units = 1})});
  model.compile({.optimizer = Adam({.learning_rate = 0.02}), .loss = "mse"});
  return model;
}

FitOptions options_of(const std::string& run, int64_t epochs = 3) {
  FitOptions options{.epochs = epochs, .batch_size = kBatch, .verbose = 0};
  options.run = run;
  options.checkpoints.every_seconds = 1e9;
  return options;
}

// Asked after each batch and each epoch, the n-th time.
std::function<CheckpointWish()> stop_at(int n, CheckpointWish before = CheckpointWish::none) {
  return [n, before, asked = 0]() mutable {
    return ++asked == n ? CheckpointWish::save_and_stop : before;
  };
}

std::vector<int64_t> checkpoints_in(const std::string& run) {
  return CheckpointFolder(run + "/checkpoints").numbers();
}

std::vector<double> losses_of(const Dataset& data, const FitOptions& options) {
  return regression().fit(data, options).epochs.at("loss");
}

TEST(KeptCheckpoints, AreTheLastAndTheBest) {
  const TemporaryFolder folder;
  FitOptions options = options_of(folder.path("run"), 7);
  options.checkpoints.keep = 1;
  // From the fourth epoch on the rate is so high that the loss rises.
  options.callbacks = {
      LearningRateScheduler([](int64_t epoch, double) { return epoch < 3 ? 0.02 : 2.0; })};
  // The second process knows of the best one from the checkpoint alone.
  options.checkpoints.wish = stop_at(28, CheckpointWish::save);
  EXPECT_THROW(losses_of(numbers(), options), Interrupted);
  options.checkpoints.wish = [] { return CheckpointWish::save; };
  const std::vector<double> losses = losses_of(numbers(), options);
  const auto best = std::ranges::min_element(losses) - losses.begin();
  ASSERT_LT(best, 4);
  EXPECT_THAT(checkpoints_in(options.run), ElementsAre(kSteps * (best + 1), kSteps * 7));
}

TEST(KeptCheckpoints, AreReplacedByARunThatBeginsAnew) {
  const TemporaryFolder folder;
  FitOptions options = options_of(folder.path("run"));
  const std::vector<double> whole = losses_of(numbers(), options);
  EXPECT_THAT(checkpoints_in(options.run), Contains(3 * kSteps));
  options.checkpoints.go_on = false;
  options.checkpoints.wish = stop_at(3);
  EXPECT_THROW(losses_of(numbers(), options), Interrupted);
  // On a slow machine there is one of a step before as well.
  EXPECT_THAT(checkpoints_in(options.run), AllOf(Contains(3), Each(Le(3))));
  EXPECT_EQ(losses_of(numbers(), options_of(folder.path("run"))), whole);
}

TEST(KeptCheckpoints, OfAnotherRunAreNamedAndPassedOver) {
  const TemporaryFolder folder;
  const std::vector<double> whole = losses_of(numbers(), options_of(folder.path("whole")));
  losses_of(numbers(0.5), options_of(folder.path("other")));
  FitOptions options = options_of(folder.path("run"));
  options.checkpoints.wish = stop_at(3);
  EXPECT_THROW(losses_of(numbers(), options), Interrupted);
  const CheckpointFolder own(options.run + "/checkpoints"), other(folder.path("other/checkpoints"));
  std::filesystem::copy(other.path_of(3 * kSteps), own.path_of(99));
  std::vector<std::string> said;
  const auto before =
      set_finding_handler([&](const Finding& it) { said.push_back(to_string(it)); });
  const std::vector<double> found = losses_of(numbers(), options_of(folder.path("run")));
  set_finding_handler(before);
  EXPECT_EQ(found, whole);
  EXPECT_THAT(said, Contains(HasSubstr("99.checkpoint: is of another run")));
}

// The newest one has the changed option, the one before it has not: they are of one run.
TEST(KeptCheckpoints, OfTheSameRunAreNotPassedOver) {
  const TemporaryFolder folder;
  FitOptions options = options_of(folder.path("run"));
  options.checkpoints.keep = 9;
  options.checkpoints.wish = stop_at(3);
  EXPECT_THROW(losses_of(numbers(), options), Interrupted);
  FitOptions changed = options;
  changed.batch_size = 4;
  changed.checkpoints.allow_changed = true;
  EXPECT_THROW(losses_of(numbers(), changed), Interrupted);
  ASSERT_THAT(checkpoints_in(options.run), Contains(3));
  EXPECT_THROW(losses_of(numbers(), options), InvalidArgument);
}

}  // namespace
}  // namespace plimsoll
