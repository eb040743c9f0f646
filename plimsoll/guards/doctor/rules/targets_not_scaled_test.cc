#include <gtest/gtest.h>

#include "tests/support/sound_case.h"

namespace plimsoll {
namespace {

using testing::confidence_of;
using testing::first_cause;
using testing::sound_pair;

// A number is predicted, by squares; the run is as far as from its mean.
TrainingCase number_case(double mean, double deviation) {
  TrainingCase it = sound_pair();
  it.model.outputs[0].activation = "";
  it.model.outputs[0].loss = "MeanSquaredError";
  it.data->targets = {{.width = 1,
                       .mean = mean,
                       .deviation = deviation,
                       .least = mean - 2 * deviation + 0.5,
                       .largest = mean + 2 * deviation,
                       .column_variance = deviation * deviation}};
  for (EpochStory& epoch : it.run->epochs) epoch.metrics = {{"loss", deviation * deviation}};
  return it;
}

TEST(TargetsNotScaled, FindsPricesInDollars) {
  EXPECT_EQ(first_cause(number_case(200000, 50000)), "targets_not_scaled");
}

TEST(TargetsNotScaled, NumbersNearOneAreNoCause) {
  EXPECT_EQ(confidence_of(number_case(0, 1), "targets_not_scaled"), 0);
  EXPECT_EQ(confidence_of(number_case(20, 5), "targets_not_scaled"), 0);
}

TEST(TargetsNotScaled, IsANoteOfARunThatHasLearntThem) {
  TrainingCase it = number_case(2000, 500);
  for (EpochStory& epoch : it.run->epochs) epoch.metrics = {{"loss", 100}};
  EXPECT_EQ(first_cause(it), "");
}

}  // namespace
}  // namespace plimsoll
