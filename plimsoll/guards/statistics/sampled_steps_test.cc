#include "plimsoll/guards/statistics/sampled_steps.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "plimsoll/base/error.h"

namespace plimsoll {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

std::vector<int64_t> included(const SampledSteps& steps, int64_t begin, int64_t end) {
  std::vector<int64_t> found;
  for (int64_t step = begin; step < end; ++step)
    if (steps.includes(step)) found.push_back(step);
  return found;
}

TEST(SampledSteps, EightOfEachDoublingIfTheyCostNothing) {
  const SampledSteps steps({.sample_seconds = 1e-6, .step_seconds = 1, .line_bytes = 100});
  EXPECT_THAT(included(steps, 0, 8), ElementsAre(0, 1, 2, 3, 4, 5, 6, 7));
  EXPECT_THAT(included(steps, 64, 128), ElementsAre(64, 72, 80, 88, 96, 104, 112, 120));
  EXPECT_EQ(included(steps, 0, 1 << 20).size(), 1u + 1 + 2 + 4 + 17 * 8);
}

// A sample that takes as long as a step is paid for by 200 steps, half of 1%; the machine may be
// slower than the assumed one.
TEST(SampledSteps, AsManyAsTheStepsPayFor) {
  const SampledSteps steps({.sample_seconds = 1, .step_seconds = 1, .line_bytes = 100});
  EXPECT_THAT(included(steps, 0, 1024), ElementsAre(0, 256, 512, 768));
  EXPECT_EQ(included(steps, 1024, 2048).size(), 4u) << "5 are paid for, and 4 lie evenly";
  EXPECT_EQ(included(steps, 1 << 20, 1 << 21).size(), 8u);
}

TEST(SampledSteps, TheFirstSamplesNeedNotBePaidFor) {
  const SampledSteps steps({.sample_seconds = 0.01, .step_seconds = 1e-9, .line_bytes = 100});
  EXPECT_THAT(included(steps, 0, 1 << 16), ElementsAre(0, 1, 2, 4, 8)) << "a twentieth of a second";
}

// At every step of the run, not only at its end.
TEST(SampledSteps, NeverTakeMoreThanAHundredthOfTheTime) {
  std::mt19937 random(1);
  std::uniform_real_distribution<double> exponent(-6, 0);
  for (int round = 0; round < 60; ++round) {
    const SampleCost cost{.sample_seconds = std::pow(10, exponent(random)),
                          .step_seconds = std::pow(10, exponent(random)),
                          .line_bytes = 1000};
    const SampledSteps steps(cost);
    double spent = -cost.sample_seconds;  // step 0 is looked at in any case
    for (int64_t step = 0; step < 1 << 16; ++step) {
      spent += steps.includes(step) ? cost.sample_seconds : 0;
      ASSERT_LE(spent, 0.05 + 0.01 * static_cast<double>(step) * cost.step_seconds)
          << "step " << step << ", a sample takes " << cost.sample_seconds << " and a step "
          << cost.step_seconds;
    }
  }
}

// A line has numbers of each layer: of a large model they are long.
TEST(SampledSteps, ALogStaysSmall) {
  for (const int64_t line_bytes : {1000, 30'000, 100'000, 10'000'000}) {
    const SampledSteps steps({.sample_seconds = 0, .step_seconds = 1, .line_bytes = line_bytes});
    const int64_t samples = std::ssize(included(steps, 0, 1 << 20));
    EXPECT_LE(samples, 160);
    // Of longer lines there is one per doubling.
    EXPECT_LE(samples * line_bytes, std::max(int64_t{5} << 20, 21 * line_bytes));
  }
}

TEST(SampledSteps, HistogramsAreOfPowersOfTwo) {
  std::vector<int64_t> found;
  for (int64_t step = 0; step < 40; ++step)
    if (SampledSteps::has_histograms(step)) found.push_back(step);
  EXPECT_THAT(found, ElementsAre(0, 1, 2, 4, 8, 16, 32));
}

TEST(SampledSteps, ARunThatGoesOnMakesTheSameChoice) {
  const SampledSteps steps({.sample_seconds = 0.004, .step_seconds = 0.01, .line_bytes = 9000});
  SampledSteps other({.sample_seconds = 0.5, .step_seconds = 0.2, .line_bytes = 100});
  EXPECT_NE(included(other, 0, 5000), included(steps, 0, 5000));
  other.set_numbers(steps.numbers());
  EXPECT_EQ(included(other, 0, 5000), included(steps, 0, 5000));
}

TEST(SampledSteps, RefusesNumbersThatAreNoChoice) {
  SampledSteps steps({.sample_seconds = 1, .step_seconds = 1, .line_bytes = 1});
  for (const std::vector<int64_t>& numbers :
       {std::vector<int64_t>{}, {1, 2}, {0, 1, 8}, {1, 1, 0}, {1, 1, 8, 1}})
    EXPECT_THAT([&] { steps.set_numbers(numbers); },
                ThrowsMessage<InvalidArgument>(HasSubstr("which steps are sampled")));
}

}  // namespace
}  // namespace plimsoll
