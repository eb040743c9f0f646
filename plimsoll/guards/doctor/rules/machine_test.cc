#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/support/sound_case.h"

namespace plimsoll {
namespace {

using ::testing::HasSubstr;
using testing::sound_case;

DiagnosedCause finding(const TrainingCase& of, const std::string& cause) {
  for (const DiagnosedCause& it : diagnose(of).findings)
    if (it.cause == cause) return it;
  return {};
}

// What the machine does to a run is cured by no option of the run.
TEST(SlowSteps, SayWhatIsKnownAndAdviseNoOption) {
  TrainingCase it = sound_case();
  it.run->epochs[4].step_seconds = 0.01;
  it.run->epochs[4].slowest_step_seconds = 4;
  DiagnosedCause found = finding(it, "slow_steps");
  EXPECT_THAT(found.remedy, HasSubstr("memory that is swapped"));
  EXPECT_EQ(found.option, "");
  EXPECT_EQ(advice_of(found), found.remedy);
  it.run->epochs[4].core_wait_seconds = 3.9;
  found = finding(it, "slow_steps");
  EXPECT_THAT(found.remedy, HasSubstr("waited 3.9 s for a core"));
}

TEST(SlowSteps, OfTheFirstEpochAreNotSaid) {
  TrainingCase it = sound_case();
  it.run->epochs[0].step_seconds = 0.01;
  it.run->epochs[0].slowest_step_seconds = 4;
  EXPECT_EQ(finding(it, "slow_steps").cause, "");
  it.run->epochs.clear();
  EXPECT_EQ(finding(it, "slow_steps").cause, "");
}

TEST(DataBound, MeasuresTheDataOfACommand) {
  TrainingCase it = sound_case();
  it.run->seconds = 60;
  it.run->data_wait_share = 0.8;
  EXPECT_EQ(finding(it, "data_bound").option, "");
  it.run->is_of_command = true;
  EXPECT_EQ(finding(it, "data_bound").option, "plimsoll bench-data DATA");
  it.run->seconds = 1;
  EXPECT_EQ(finding(it, "data_bound").cause, "");
}

}  // namespace
}  // namespace plimsoll
