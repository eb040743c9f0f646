#include <gtest/gtest.h>

#include "tests/support/sound_case.h"

namespace plimsoll {
namespace {

using testing::confidence_of;
using testing::first_cause;
using testing::has_learnt_nothing;
using testing::sound_case;
using testing::sound_pair;

TEST(MissingNonlinearity, IsANoteOfARunThatHasLearntAll) {
  TrainingCase it = sound_case();
  it.model.layers[1].activation = "";
  EXPECT_EQ(first_cause(it), "");
  EXPECT_GT(confidence_of(it, "missing_nonlinearity"), 0.4);
  has_learnt_nothing(it);
  EXPECT_EQ(first_cause(it), "missing_nonlinearity");
}

TEST(InputsNotNormalised, IsANoteOfARunThatHasLearntAllHoweverManyInputsThereAre) {
  TrainingCase it = sound_case();
  it.data->inputs[0].mean = 120;
  it.data->inputs.push_back(it.data->inputs[0]);
  EXPECT_EQ(first_cause(it), "");
  EXPECT_GT(confidence_of(it, "inputs_not_normalised"), 0.4);
}

}  // namespace
}  // namespace plimsoll
