#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "plimsoll/nn/nn.h"
#include "plimsoll/train/freeze.h"
#include "plimsoll/train/model.h"

namespace plimsoll {
namespace {

MemoryPlan::Row row_of(const MemoryPlan& plan, const std::string& layer) {
  const auto found = std::ranges::find(plan.layers, layer, &MemoryPlan::Row::layer);
  return found == plan.layers.end() ? MemoryPlan::Row{} : *found;
}

Model nested_model() {
  const Tensor x = Input({.shape = {8}});
  Sequential inner({InputLayer({.shape = {8}}), Dense({.units = 16, .name = "deep"})}, "inner");
  return Model({x}, {Dense({.units = 4, .name = "head"})(inner(x))});
}

TEST(PlanLayers, CountsWeightsGradientsAndSlotsOfEachLayer) {
  Model model = nested_model();
  model.compile({.optimizer = "adam", .loss = "mse"});
  const MemoryPlan plan = model.plan({{DType::float32, {8}}, {DType::float32, {4}}}, 2);
  const MemoryPlan::Row deep = row_of(plan, "inner/deep"), head = row_of(plan, "head");
  EXPECT_EQ(deep.weight_bytes, (8 * 16 + 16) * 4);
  EXPECT_EQ(deep.gradient_bytes, deep.weight_bytes);
  EXPECT_EQ(deep.optimizer_bytes, 2 * deep.weight_bytes);
  EXPECT_EQ(head.weight_bytes, (16 * 4 + 4) * 4);
  EXPECT_GT(head.activation_bytes, 0);
}

TEST(PlanLayers, TakesNothingForWhatIsFrozen) {
  Model model = nested_model();
  freeze_layers(model, "inner");
  model.compile({.optimizer = "adam", .loss = "mse"});
  const MemoryPlan plan = model.plan({{DType::float32, {8}}, {DType::float32, {4}}}, 2);
  const MemoryPlan::Row deep = row_of(plan, "inner/deep");
  EXPECT_GT(deep.weight_bytes, 0);
  EXPECT_EQ(deep.gradient_bytes, 0);
  EXPECT_EQ(deep.optimizer_bytes, 0);
}

}  // namespace
}  // namespace plimsoll
