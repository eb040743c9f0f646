#include <gtest/gtest.h>

#include "tests/support/sound_case.h"

namespace plimsoll {
namespace {

using testing::first_cause;
using testing::has_learnt_nothing;
using testing::sound_case;

TEST(Saturation, FindsASoftmaxBetweenLayers) {
  TrainingCase it = sound_case();
  it.model.layers[1].activation = "softmax";
  has_learnt_nothing(it);
  EXPECT_EQ(first_cause(it), "saturation");
  EXPECT_EQ(diagnose(it).findings.front().layer, "hidden");
  it.model.layers[1].feeds.clear();  // it weighs what attention reads
  EXPECT_NE(first_cause(it), "saturation");
}

TEST(DeadRelu, FindsUnitsThatAreZeroForEveryRecord) {
  for (const char* activation : {"relu", "relu6"}) {
    TrainingCase it = sound_case();
    has_learnt_nothing(it);
    StepStatistics step{.step = 8, .loss = 1.0986};
    step.layers = {{.layer = "hidden", .activation = activation, .dead_unit_share = 1}};
    it.run->statistics = {step, step};
    EXPECT_EQ(first_cause(it), "dead_relu") << activation;
  }
}

}  // namespace
}  // namespace plimsoll
