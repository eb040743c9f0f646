#include <gtest/gtest.h>

#include "tests/support/sound_case.h"

namespace plimsoll {
namespace {

using testing::confidence_of;
using testing::first_cause;
using testing::has_learnt_nothing;
using testing::sound_case;

// Two hidden layers and a head, with gradients of these norms.
void give_gradients(TrainingCase& it, double first, double last) {
  StepStatistics step;
  for (const double norm : {first, last, last})
    step.variables.push_back({.layer = "hidden",
                              .name = "kernel",
                              .elements = 100,
                              .is_trained = true,
                              .norm = 1,
                              .gradient_norm = norm,
                              .update_norm = 1e-3});
  it.run->statistics = {step};
}

TEST(VanishingGradients, AreFoundWhereTheFirstLayerGetsNextToNone) {
  TrainingCase it = sound_case();
  has_learnt_nothing(it);
  give_gradients(it, 0.01, 1);
  EXPECT_EQ(confidence_of(it, "vanishing_gradients"), 0);
  give_gradients(it, 1e-7, 1);
  EXPECT_EQ(first_cause(it), "vanishing_gradients");
}

TEST(VanishingGradients, OfManySigmoidsAreACauseThoughAPartWasLearnt) {
  TrainingCase it = sound_case();
  give_gradients(it, 1e-7, 1);
  for (EpochStory& epoch : it.run->epochs) epoch.metrics = {{"loss", 0.6}, {"accuracy", 0.8}};
  EXPECT_EQ(first_cause(it), "");
  LayerFacts sigmoid = it.model.layers[1];
  sigmoid.activation = "sigmoid";
  it.model.layers.insert(it.model.layers.begin() + 1, 6, sigmoid);
  EXPECT_EQ(first_cause(it), "vanishing_gradients");
  for (EpochStory& epoch : it.run->epochs) epoch.metrics = {{"loss", 0.01}, {"accuracy", 1}};
  EXPECT_EQ(first_cause(it), "");
}

TEST(ExplodingGradients, AreFoundByTheirNorm) {
  TrainingCase it = sound_case();
  has_learnt_nothing(it);
  give_gradients(it, 100, 100);
  EXPECT_EQ(confidence_of(it, "exploding_gradients"), 0);
  give_gradients(it, 1e6, 1e6);
  EXPECT_EQ(first_cause(it), "exploding_gradients");
}

}  // namespace
}  // namespace plimsoll
