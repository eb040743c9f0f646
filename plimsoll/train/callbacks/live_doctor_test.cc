#include "plimsoll/train/callbacks/live_doctor.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "plimsoll/plimsoll.h"

namespace plimsoll {
namespace {

using ::testing::Contains;
using ::testing::IsEmpty;
using ::testing::Not;

constexpr int64_t kCases = 320;

// Inside or outside of a ring.
Dataset ring() {
  std::vector<float> x, y;
  for (int64_t i = 0; i < kCases; ++i) {
    const float a = std::sin(static_cast<float>(i) * 12.9898F);
    const float b = std::sin(static_cast<float>(i) * 78.233F);
    x.insert(x.end(), {a, b});
    y.push_back(a * a + b * b < 0.9F ? 1 : 0);
  }
  return Dataset(constant(x, {kCases, 2}), constant(y, {kCases, 1}));
}

// The causes that are told, each as often as it is.
std::vector<std::string> told_of(double rate, int64_t epochs) {
  reset_names();
  set_random_seed(2);
  Sequential model({Dense({.units = 24, .activation = "relu"}),
                    Dense({.units = 24, .activation = "relu"}),
                    Dense({.units = 1, .activation = "sigmoid"})});
  model.compile({.optimizer = Adam({.learning_rate = rate}),
                 .loss = "binary_crossentropy",
                 .metrics = {"accuracy"}});
  std::vector<std::string> told;
  const auto doctor = std::make_shared<LiveDoctor>(
      ring(),
      LiveDoctorOptions{.tell = [&](const DiagnosedCause& it) { told.push_back(it.cause); }});
  FitOptions options{.epochs = epochs, .verbose = 0};
  options.callbacks = {doctor};
  model.fit(ring(), options);
  EXPECT_EQ(std::ssize(doctor->story().epochs), epochs);
  return told;
}

TEST(LiveDoctor, LeavesASoundRunInPeace) {
  EXPECT_THAT(told_of(0.01, 40), IsEmpty());
}

TEST(LiveDoctor, NamesACauseOnce) {
  const std::vector<std::string> told = told_of(3, 40);
  EXPECT_THAT(told, Contains("learning_rate_high").Times(1));
}

TEST(LiveDoctor, NamesTheCauseOfARunThatEndsNotFinite) {
  reset_names();
  set_random_seed(2);
  Sequential model({Dense({.units = 24, .activation = "relu"}), Dense({.units = 1})});
  model.compile({.optimizer = SGD({.learning_rate = 1e20}), .loss = "mse"});
  std::vector<std::string> told;
  FitOptions options{.epochs = 2, .verbose = 0};
  options.callbacks = {std::make_shared<LiveDoctor>(
      ring(),
      LiveDoctorOptions{.tell = [&](const DiagnosedCause& it) { told.push_back(it.cause); }})};
  EXPECT_THROW(model.fit(ring(), options), NotFinite);
  EXPECT_THAT(told, Contains("learning_rate_high"));
}

TEST(LiveDoctor, KnowsThatRecordsAreNotShuffled) {
  for (const bool is_shuffled : {true, false}) {
    const auto doctor = std::make_shared<LiveDoctor>(
        ring(), LiveDoctorOptions{.is_shuffled = is_shuffled, .has_class_weights = !is_shuffled});
    Sequential model({Dense({.units = 1, .activation = "sigmoid"})});
    model.compile({.optimizer = Adam(), .loss = "binary_crossentropy"});
    FitOptions options{.epochs = 1, .verbose = 0};
    options.shuffle = is_shuffled;
    options.callbacks = {doctor};
    model.fit(ring(), options);
    EXPECT_EQ(doctor->story().is_shuffled, is_shuffled);
    EXPECT_EQ(doctor->story().has_class_weights, !is_shuffled);
  }
}

// All inputs are 0, which only the data shows.
std::vector<std::string> told_of_zeros(int64_t numbers) {
  reset_names();
  std::vector<float> y;
  for (int64_t i = 0; i < kCases; ++i) y.push_back(i % 2 == 0 ? 0.F : 1.F);
  const Dataset zeros(
      constant(std::vector<float>(static_cast<size_t>(kCases * numbers)), {kCases, numbers}),
      constant(y, {kCases, 1}));
  Sequential model({Dense({.units = 1, .activation = "sigmoid"})});
  model.compile({.optimizer = Adam(), .loss = "binary_crossentropy"});
  std::vector<std::string> told;
  FitOptions options{.epochs = 24, .verbose = 0};
  options.callbacks = {std::make_shared<LiveDoctor>(
      zeros,
      LiveDoctorOptions{.tell = [&](const DiagnosedCause& it) { told.push_back(it.cause); }})};
  model.fit(zeros, options);
  return told;
}

TEST(LiveDoctor, LooksAtSmallImagesAndNotAtLargeOnes) {
  EXPECT_THAT(told_of_zeros(32 * 32 * 3), Contains("constant_input"));
  EXPECT_THAT(told_of_zeros(64 * 64 * 3), Not(Contains("constant_input")));
}

TEST(LiveDoctor, SaysNothingInTheFirstSteps) {
  EXPECT_THAT(told_of(3, 2), IsEmpty());
}

}  // namespace
}  // namespace plimsoll
