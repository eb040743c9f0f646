#include <gtest/gtest.h>

#include "tests/support/sound_case.h"

namespace plimsoll {
namespace {

using testing::first_cause;
using testing::sound_case;
using testing::sound_pair;

TEST(LabelsOutOfRange, FindsTwoClassesThatAreNotNumberedZeroAndOne) {
  TrainingCase it = sound_pair();
  it.run.reset();
  EXPECT_EQ(first_cause(it), "");
  for (const auto& [least, largest] : {std::pair{1.0, 2.0}, {0.0, 255.0}, {-1.0, 1.0}}) {
    it.data->targets[0].least = least;
    it.data->targets[0].largest = largest;
    it.data->targets[0].has_gaps = true;
    EXPECT_EQ(first_cause(it), "labels_out_of_range") << least << " and " << largest;
  }
}

}  // namespace
}  // namespace plimsoll
