#include "plimsoll/train/callbacks/live_doctor.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "plimsoll/plimsoll.h"

namespace plimsoll {
namespace {

using ::testing::Contains;
using ::testing::IsEmpty;

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

TEST(LiveDoctor, SaysNothingInTheFirstSteps) {
  EXPECT_THAT(told_of(3, 2), IsEmpty());
}

}  // namespace
}  // namespace plimsoll
