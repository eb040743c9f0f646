#include <gtest/gtest.h>

#include "tests/support/sound_case.h"

namespace plimsoll {
namespace {

using testing::confidence_of;
using testing::first_cause;
using testing::has_learnt_nothing;
using testing::sound_case;

TEST(OverRegularised, FindsWeightsThatDecayFast) {
  TrainingCase it = sound_case();
  has_learnt_nothing(it);
  it.model.optimizer = "AdamW";
  it.model.weight_decay = 0.004;
  EXPECT_EQ(confidence_of(it, "over_regularised"), 0);
  it.model.weight_decay = 20;
  EXPECT_EQ(first_cause(it), "over_regularised");
  it.model.optimizer = "SGD";
  it.model.learning_rate = 0.01;
  it.model.weight_decay = 0.5;
  EXPECT_EQ(first_cause(it), "over_regularised");
}

}  // namespace
}  // namespace plimsoll
