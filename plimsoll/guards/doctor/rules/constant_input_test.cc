#include <gtest/gtest.h>

#include "tests/support/sound_case.h"

namespace plimsoll {
namespace {

using testing::confidence_of;
using testing::first_cause;
using testing::has_learnt_nothing;
using testing::sound_case;

TEST(ConstantInput, FindsDataThatNeverChanges) {
  TrainingCase it = sound_case();
  it.run.reset();
  it.data->inputs[0].constant_columns = 4;
  EXPECT_EQ(first_cause(it), "constant_input");
}

TEST(ConstantInput, TakesACornerOfAPictureThatIsAlwaysBlackAsSound) {
  TrainingCase it = sound_case();
  has_learnt_nothing(it);
  it.data->inputs[0].columns = 100;
  it.data->inputs[0].constant_columns = 40;
  EXPECT_EQ(confidence_of(it, "constant_input"), 0);
  it.data->inputs[0].constant_columns = 95;
  EXPECT_EQ(first_cause(it), "constant_input");
}

TEST(ConstantInput, SaysNothingOfASingleRecord) {
  TrainingCase it = sound_case();
  it.data->looked_at = 1;
  it.data->inputs[0].constant_columns = 4;
  EXPECT_EQ(confidence_of(it, "constant_input"), 0);
}

}  // namespace
}  // namespace plimsoll
