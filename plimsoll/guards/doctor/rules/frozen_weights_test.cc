#include <gtest/gtest.h>

#include "tests/support/sound_case.h"

namespace plimsoll {
namespace {

using testing::confidence_of;
using testing::first_cause;
using testing::has_learnt_nothing;
using testing::sound_case;

TEST(FrozenWeights, FindsALayerThatIsNotTrained) {
  TrainingCase it = sound_case();
  has_learnt_nothing(it);
  EXPECT_EQ(confidence_of(it, "frozen_weights"), 0);
  it.model.layers[1].is_trained = false;
  EXPECT_EQ(first_cause(it), "frozen_weights");
}

TEST(FrozenWeights, ANewHeadOnFrozenLayersThatLearnsIsSound) {
  TrainingCase it = sound_case();
  it.model.layers[1].is_trained = false;
  EXPECT_EQ(first_cause(it), "");
}

TEST(FrozenWeights, FindsAKernelThatTheLossDoesNotDependOn) {
  TrainingCase it = sound_case();
  has_learnt_nothing(it);
  it.run->statistics = {{.variables = {{.layer = "hidden",
                                        .name = "kernel",
                                        .elements = 128,
                                        .is_trained = true,
                                        .gradient_zero_share = 0.9}}}};
  EXPECT_EQ(confidence_of(it, "frozen_weights"), 0);
  it.run->statistics[0].variables[0].gradient_zero_share = 1;
  EXPECT_GT(confidence_of(it, "frozen_weights"), 0.5);
}

}  // namespace
}  // namespace plimsoll
