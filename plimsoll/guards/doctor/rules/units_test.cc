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

}  // namespace
}  // namespace plimsoll
