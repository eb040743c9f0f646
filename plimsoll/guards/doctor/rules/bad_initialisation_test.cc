#include <gtest/gtest.h>

#include "tests/support/sound_case.h"

namespace plimsoll {
namespace {

using testing::confidence_of;
using testing::has_learnt_nothing;
using testing::sound_case;

TEST(BadInitialisation, SmallWeightsAreANoteUnlessGradientsVanish) {
  TrainingCase it = sound_case();
  it.run.reset();
  it.model.layers[1].kernel_spread = 1.0 / 12;
  EXPECT_LT(confidence_of(it, "bad_initialisation"), 0.5);
  it.model.layers[1].kernel_spread = 1e-3;
  EXPECT_GT(confidence_of(it, "bad_initialisation"), 0.75);
  it.model.layers[1].kernel_spread = 12;
  EXPECT_GT(confidence_of(it, "bad_initialisation"), 0.75);
}

TEST(BadInitialisation, SmallWeightsThatLetGradientsVanishAreTheCause) {
  TrainingCase it = sound_case();
  has_learnt_nothing(it);
  it.model.layers[1].kernel_spread = 1.0 / 12;
  const double alone = confidence_of(it, "bad_initialisation");
  StepStatistics step{.step = 4, .loss = 1.1};
  for (const double gradient : {1e-6, 1e-3, 1.0})
    step.variables.push_back({.layer = "hidden",
                              .name = "kernel",
                              .elements = 1,
                              .is_trained = true,
                              .norm = 1,
                              .gradient_norm = gradient});
  it.run->statistics = {step};
  EXPECT_GT(confidence_of(it, "bad_initialisation"), alone + 0.3);
}

TEST(BadInitialisation, AnOutputMayBeginWithZerosBeforeItsActivationLayer) {
  TrainingCase it = sound_case();
  it.model.layers[2].kernel_spread = 0;
  it.model.outputs[0].layer = "activation";
  EXPECT_EQ(confidence_of(it, "bad_initialisation"), 0);
}

}  // namespace
}  // namespace plimsoll
