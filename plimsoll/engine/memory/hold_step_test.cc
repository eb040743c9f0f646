#include "plimsoll/engine/memory/hold_step.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "plimsoll/base/error.h"
#include "plimsoll/base/process_memory.h"
#include "plimsoll/engine/step_cache.h"
#include "plimsoll/ops/ops.h"

namespace plimsoll {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::ThrowsMessage;

constexpr int64_t kMiB = int64_t{1} << 20;

// The step that computes it.
StepGraph step_of(const Tensor& result) {
  return take_step({}, std::span(&result, 1));
}

Tensor zeros(int64_t mebibytes) {
  return broadcast_to(scalar(0), {mebibytes << 18});
}

TEST(HoldStep, CountsWhatTheProcessHoldsTheArenaAndTheResults) {
  clear_step_cache();
  const int64_t before = process_memory().resident_bytes;
  const Tensor result = zeros(8) + 1;
  const HeldStep found =
      hold_step(step_of(result), {.bytes = before + (1 << 30), .is_given = true});
  EXPECT_TRUE(found.is_within);
  EXPECT_GE(found.held_bytes, before);
  EXPECT_GE(found.needed_bytes, found.held_bytes + 8 * kMiB + found.step->memory().arena_bytes);
}

TEST(HoldStep, TakesALittleOutOfTheMarginOfAFullMachine) {
  EXPECT_TRUE(hold_step(step_of(scalar(1) + 1), {.bytes = 1}).is_within);
  EXPECT_FALSE(hold_step(step_of(zeros(2) + 1), {.bytes = 1}).is_within);
}

TEST(HoldStep, TakesNothingOverALimitThatIsGiven) {
  EXPECT_FALSE(hold_step(step_of(scalar(1) + 1), {.bytes = 1, .is_given = true}).is_within);
}

TEST(HoldStep, NamesTheResultsOfAStepThatItRefuses) {
  const MemoryBudget budget = {.bytes = 3 * kMiB, .is_given = true, .giver = "a test"};
  const StepGraph graph = step_of(zeros(32) + 1);
  const HeldStep found = hold_step(graph, budget);
  EXPECT_THAT(
      [&] { refuse_step(graph, found, budget); },
      ThrowsMessage<DoesNotFit>(AllOf(
          HasSubstr(
              "32.0 MiB for results, 1.0 MiB for code and stacks), the budget is 3.0 MiB (a test)"),
          HasSubstr("the results are those of"), HasSubstr("hold_step_test.cc:"),
          HasSubstr("(32.0 MiB in 1 tensor)"))));
}

}  // namespace
}  // namespace plimsoll
