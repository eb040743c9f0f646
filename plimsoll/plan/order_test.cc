#include "plimsoll/plan/order.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "plimsoll/base/error.h"
#include "plimsoll/plan/lifetimes.h"
#include "plimsoll/plan/sample_steps.h"

namespace plimsoll::plan {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

int64_t peak(const StepProblem& step, const std::vector<int32_t>& order) {
  return max_live_bytes(find_lifetimes(step, order).offsets);
}

TEST(Dependencies, ReachThroughViewsToTheMaker) {
  StepBuilder b;
  const int32_t x = b.run({}, 8);
  b.run({b.view(b.view(x))}, 8);
  EXPECT_THAT(dependencies(b.step)[1], ElementsAre(0));
}

TEST(Dependencies, LetATaskMakeAValueAndAViewOfIt) {
  StepBuilder b;
  const int32_t x = b.run({}, 8);
  b.step.tasks[0].outputs.push_back(b.view(x));
  EXPECT_THAT(dependencies(b.step)[0], IsEmpty());
}

TEST(ChooseOrder, KeepsAGivenOrderThatIsAsGoodAsAny) {
  EXPECT_THAT(choose_order(mlp_step({8, 8, 2}, 1)).front(), 0);
  StepBuilder b;
  for (int32_t i = 0; i < 4; ++i) b.run({}, 8);
  EXPECT_THAT(choose_order(b.step), ElementsAre(0, 1, 2, 3));
}

TEST(ChooseOrder, MakesAGivenOrderLegal) {
  StepBuilder b;
  const int32_t late = b.value(8);
  b.run({late}, 8);
  b.step.tasks.push_back({.inputs = {}, .outputs = {late}});
  EXPECT_THAT(choose_order(b.step), ElementsAre(1, 0));
}

TEST(ChooseOrder, HonoursAfterAndStages) {
  StepBuilder b;
  for (int32_t i = 0; i < 3; ++i) b.run({}, 8);
  b.step.tasks[0].stage = 1;
  b.step.tasks[1].after = {2};
  EXPECT_THAT(choose_order(b.step), ElementsAre(2, 1, 0));
}

TEST(ChooseOrder, FinishesOneBranchBeforeTheNextWhereThatSavesMemory) {
  StepBuilder b;  // given breadth-first: all wide values, then all narrow ones
  std::vector<int32_t> wide, narrow;
  for (int32_t i = 0; i < 5; ++i) wide.push_back(b.run({}, 1024));
  for (int32_t i = 0; i < 5; ++i) narrow.push_back(b.run({wide[i]}, 64));
  b.run(narrow, 64);
  EXPECT_EQ(peak(b.step, choose_order(b.step)), 1024 + 5 * 64);
}

TEST(ChooseOrder, MakesAGradientOnlyWhenSomethingReadsIt) {
  StepBuilder b;  // data gradients first, then the weight gradients that read them
  std::vector<int32_t> gradients = {b.run({}, 1024)};
  for (int32_t i = 0; i < 6; ++i) gradients.push_back(b.run({gradients.back()}, 1024));
  for (const int32_t gradient : gradients) b.commit(b.external(64), b.run({gradient}, 64));
  EXPECT_LE(peak(b.step, choose_order(b.step)), 2 * 1024 + 7 * 64);
}

TEST(ChooseOrder, RefusesTasksThatWaitForEachOther) {
  StepBuilder b;
  b.run({}, 8);
  b.run({}, 8);
  b.step.tasks[0].after = {1};
  b.step.tasks[1].after = {0};
  EXPECT_THROW(choose_order(b.step), InvalidArgument);
}

TEST(ChooseOrder, RefusesATaskThatWaitsForALaterStage) {
  StepBuilder b;
  b.run({b.run({}, 8)}, 8);
  b.step.tasks[0].stage = 1;
  EXPECT_THROW(choose_order(b.step), InvalidArgument);
}

}  // namespace
}  // namespace plimsoll::plan
