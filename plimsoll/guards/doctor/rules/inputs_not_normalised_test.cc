#include <gtest/gtest.h>

#include "tests/support/sound_case.h"

namespace plimsoll {
namespace {

using testing::confidence_of;
using testing::first_cause;
using testing::sound_case;

TEST(InputsNotNormalised, IsANoteOfARunThatHasLearntAllHoweverManyInputsThereAre) {
  TrainingCase it = sound_case();
  it.data->inputs[0].mean = 120;
  it.data->inputs.push_back(it.data->inputs[0]);
  EXPECT_EQ(first_cause(it), "");
  EXPECT_GT(confidence_of(it, "inputs_not_normalised"), 0.4);
}

}  // namespace
}  // namespace plimsoll
