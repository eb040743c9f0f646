#include <gtest/gtest.h>

#include "tests/support/sound_case.h"

namespace plimsoll {
namespace {

using testing::first_cause;
using testing::sound_case;
using testing::sound_pair;

TEST(ClassImbalance, FindsThatAllRecordsHaveTheSameTarget) {
  TrainingCase it = sound_pair();
  it.run.reset();
  it.data->targets[0].class_counts = {900};
  it.data->targets[0].largest = 0;
  EXPECT_EQ(first_cause(it), "class_imbalance");
  it.data->looked_at = 200;  // a rare class may be among the others
  EXPECT_EQ(first_cause(it), "");
}

}  // namespace
}  // namespace plimsoll
