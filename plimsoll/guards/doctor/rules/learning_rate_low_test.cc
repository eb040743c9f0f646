#include <gtest/gtest.h>

#include "tests/support/sound_case.h"

namespace plimsoll {
namespace {

using testing::first_cause;
using testing::has_learnt_nothing;
using testing::sound_case;

TEST(Optimizer, FindsPlainSgdThatDoesNotMoveSigmoids) {
  TrainingCase it = sound_case();
  has_learnt_nothing(it);
  it.model.optimizer = "SGD";
  it.model.learning_rate = 0.01;
  it.model.layers[1].activation = "sigmoid";
  EXPECT_EQ(first_cause(it), "optimizer");
  it.model.momentum = 0.9;
  EXPECT_NE(first_cause(it), "optimizer");
}

TEST(Optimizer, IsWhatIsWrongWhereItsOwnRateIsTooLow) {
  for (const char* optimizer : {"Adadelta", "Adagrad", "Ftrl"}) {
    TrainingCase it = sound_case();
    has_learnt_nothing(it);
    it.model.optimizer = optimizer;
    it.model.learning_rate = 0.001;
    EXPECT_EQ(first_cause(it), "optimizer") << optimizer;
    it.model.learning_rate = 1e-5;
    EXPECT_EQ(first_cause(it), "learning_rate_low") << optimizer;
  }
}

TEST(LearningRateLow, GoesByWhatIsUsualForTheOptimizer) {
  TrainingCase it = sound_case();
  has_learnt_nothing(it);
  it.model.learning_rate = 2e-5;
  EXPECT_EQ(first_cause(it), "learning_rate_low");
  it.model.optimizer = "Lion";
  EXPECT_NE(first_cause(it), "learning_rate_low");
  it.model.optimizer = "ProgramsOwn";
  EXPECT_EQ(first_cause(it), "learning_rate_low");
}

}  // namespace
}  // namespace plimsoll
