#include <gtest/gtest.h>

#include "tests/support/sound_case.h"

namespace plimsoll {
namespace {

using testing::confidence_of;
using testing::first_cause;
using testing::has_learnt_nothing;
using testing::sound_case;

TEST(MissingNonlinearity, IsANoteOfARunThatHasLearntAll) {
  TrainingCase it = sound_case();
  it.model.layers[1].activation = "";
  EXPECT_EQ(first_cause(it), "");
  EXPECT_GT(confidence_of(it, "missing_nonlinearity"), 0.4);
  has_learnt_nothing(it);
  EXPECT_EQ(first_cause(it), "missing_nonlinearity");
}

}  // namespace
}  // namespace plimsoll
