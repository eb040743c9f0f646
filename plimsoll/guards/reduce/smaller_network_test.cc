#include "plimsoll/guards/reduce/smaller_network.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "plimsoll/nn/keras/network_config.h"
#include "plimsoll/nn/layers/dense.h"
#include "plimsoll/nn/layers/dropout.h"
#include "plimsoll/nn/layers/merging.h"
#include "plimsoll/nn/networks/functional.h"
#include "plimsoll/nn/networks/input.h"
#include "plimsoll/nn/networks/sequential.h"

namespace plimsoll {
namespace {

using ::testing::ElementsAre;

Json sequence() {
  return network_to_json(SequentialBody(
      {InputLayer({.shape = {4}, .name = "input"}), Dense({.units = 8, .name = "first"}),
       Dropout({.rate = 0.5, .name = "drop"}), Dense({.units = 1, .name = "head"})},
      "net"));
}

// x -> left -> + -> head, and x -> right -> +.
Json branches() {
  const Tensor x = Input({.shape = {4}, .name = "x"});
  const Tensor left = Dense({.units = 6, .name = "left"})(x);
  const Tensor right = Dense({.units = 6, .name = "right"})(x);
  const Tensor sum = Add({.name = "sum"})(Tensors{left, right})[0];
  return network_to_json(FunctionalBody({x}, {Dense({.units = 1, .name = "head"})(sum)}, "net"));
}

std::vector<std::string> built_layers(const Json& json) {
  std::vector<std::string> names;
  for (const auto& child : network_from_json(json)->children())
    names.push_back(child.layer->name());
  return names;
}

TEST(SmallerNetwork, NamesTheLayersThatMayGo) {
  EXPECT_THAT(layers_of(sequence()), ElementsAre("first", "drop", "head"));
  EXPECT_THAT(layers_of(branches()),
              ::testing::UnorderedElementsAre("left", "right", "sum", "head"));
}

TEST(SmallerNetwork, LeavesLayersOutOfASequence) {
  const auto smaller = without_layers(sequence(), {"first", "drop"});
  ASSERT_TRUE(smaller);
  EXPECT_THAT(built_layers(*smaller), ElementsAre("head"));
  EXPECT_EQ(network_from_json(*smaller)->weights()[0].shape(), (Shape{4, 1}));
}

TEST(SmallerNetwork, KeepsAtLeastOneLayer) {
  EXPECT_FALSE(without_layers(sequence(), {"first", "drop", "head"}));
  EXPECT_FALSE(without_layers(branches(), {"left", "right", "sum", "head"}));
}

TEST(SmallerNetwork, CutsTheBranchThatIsNotNeededAnyMore) {
  const auto left = without_layers(branches(), {"sum"});
  ASSERT_TRUE(left);
  EXPECT_THAT(layers_of(*left), ElementsAre("left", "head"));
  EXPECT_EQ(network_from_json(*left)->outputs()[0].spec.shape, (Shape{kUnknown, 1}));
  const auto right = without_layers(branches(), {"sum"}, Stands::last_input);
  ASSERT_TRUE(right);
  EXPECT_THAT(layers_of(*right), ElementsAre("right", "head"));
}

TEST(SmallerNetwork, ReadsTheInputInPlaceOfLayersThatAreGone) {
  const auto smaller = without_layers(branches(), {"left", "sum", "head"}, Stands::last_input);
  ASSERT_TRUE(smaller);
  EXPECT_THAT(layers_of(*smaller), ElementsAre("right"));
  EXPECT_EQ(network_from_json(*smaller)->outputs()[0].name, "right");
}

TEST(SmallerNetwork, ChangesTheSizeOfALayer) {
  EXPECT_THAT(sizes_of(sequence()), ElementsAre(LayerSize{"first", "units", 8}));
  const Json smaller = with_size(sequence(), {"first", "units", 4});
  EXPECT_THAT(sizes_of(smaller), ElementsAre(LayerSize{"first", "units", 4}));
  EXPECT_EQ(network_from_json(smaller)->weights()[0].shape(), (Shape{4, 4}));
}

}  // namespace
}  // namespace plimsoll
